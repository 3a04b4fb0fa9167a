"""What is said of wrong turns that a program takes together: their names."""

Turns = frozenset[str]
NONE: Turns = frozenset()
