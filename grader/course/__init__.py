"""The transformer course: its syllabus, checks, misconceptions and modules as mathematics.

The engine's rooms know nothing of it.
"""
