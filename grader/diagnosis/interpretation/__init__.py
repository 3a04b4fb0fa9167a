"""Reads parameters as the reference's roles, however they are laid out; runs no learner code.

The worker records a call and shows what inputs meet, in the order of use: used_parts.py. The files
called layouts say which part plays which role, search.py asks the reference, by_values.py seeks
mistakes, module_diagnosis.py names. attention.py, layers.py and stacks.py hold the reference with
a switch for each mistake.
"""
