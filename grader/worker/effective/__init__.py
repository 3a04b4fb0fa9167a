"""Shows a module as if it held plain tensors, whatever its parameters are; knows no exercise."""

from typing import Literal

# What becomes one map: maps in a row, the first to fewer numbers; nothing; those, and scales.
Merging = Literal["narrow", "nothing", "scales"]
