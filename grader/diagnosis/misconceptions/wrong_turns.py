"""The wrong turns that a program takes together, as a set of their names."""

Turns = frozenset[str]
NONE: Turns = frozenset()
