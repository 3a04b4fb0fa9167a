"""Reads parameters as the reference's roles, however they are laid out; runs no learner code.

The worker records a call and shows what inputs meet, in the order of use: used_parts.py. A course
says which part may be which parameter of its reference, and search.py asks the reference.

A parameter is a tensor of the learner's, a role one of the formula's (`q_w`). A layout says for
each role where its numbers stand among the parameters (held.py). A reading (`Interpretation`) is a
layout with which the reference answers as the learner's module does. A part is what inputs meet in
one place of a call; a place is the way to a role in a module of modules.
"""
