"""Reads parameters as the reference's, however they are laid out; runs no learner code.

The worker records a call and shows what inputs meet, in the order of use: used_parts.py. A course
says which part stands for which parameter (its layouts), search.py asks the edited reference
(edited_reference.py) with the learner's numbers in it.

A layout says for each parameter of the reference where its numbers stand among the learner's
(held.py). A reading is a layout with the learner's numbers in it (reading.py): right is one with
which the reference answers as the learner's module does. A part is what inputs meet in one place of
a call.
"""
