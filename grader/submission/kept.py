"""Keeps what was found out about texts, within bounds of their size; knows no code."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

T = TypeVar("T")

_MOST = 1_000_000  # characters: those of one hand-in, of which exercises are read one after another


def kept(function: Callable[[str], T]) -> Callable[[str], T]:
    """The same function, which remembers its answers until their texts grow too long together."""
    known: dict[str, T] = {}
    size = 0

    @wraps(function)
    def answer(text: str) -> T:
        nonlocal size
        if text not in known:
            size += len(text)
            if size > _MOST:
                known.clear()
                size = len(text)
            known[text] = function(text)
        return known[text]

    return answer
