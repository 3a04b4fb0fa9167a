"""The course's known wrong turns: a data file a chapter, and the inputs that tell them apart.

A module is called as its exercise.
"""
