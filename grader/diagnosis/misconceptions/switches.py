"""How thrown switches choose from tables; it knows no mistake."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

Switches = frozenset[str]
NONE: Switches = frozenset()
T = TypeVar("T")


def chosen(table: Mapping[str, T], on: Switches, usual: T) -> T:
    """What a thrown switch stands for, the first in the table's order; else what is usual."""
    if on.isdisjoint(table):
        return usual
    return next(table[name] for name in table if name in on)


def applied(table: Mapping[str, Callable[..., T]], on: Switches, value: T, *more: Any) -> T:
    """The value after each step whose switch is thrown, in the table's order."""
    if on.isdisjoint(table):
        return value
    for name, step in table.items():
        if name in on:
            value = step(value, *more)
    return value
