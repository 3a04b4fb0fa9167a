"""Reads parameters as the reference's roles, however they are laid out; runs no learner code.

attention.py, layers.py and stacks.py hold the reference with a switch for each mistake, the files
called layouts the ways to read parameters. search.py tries them, module_diagnosis.py names.
"""
