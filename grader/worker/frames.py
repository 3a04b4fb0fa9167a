"""Keeps deeply nested calls quick; knows nothing of what is called.

Python keeps the frames of calls in pieces of 16 kB. A call over the end of one maps and unmaps the
next: measured, 6.7 µs instead of 0.024. Whether a loop of ours stands just there is luck.
"""

from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_SLOTS = 2**16  # of 8 bytes; a frame that asks for these gets a piece of twice the size


def with_room(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, whose inner calls have half a megabyte for their frames."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        return _roomy(function, args, kwargs)

    return call


def _call(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return function(*args, **kwargs)


# What a frame reserves and does not use is never touched, so that it costs no memory.
_roomy: Any = FunctionType(_call.__code__.replace(co_stacksize=_SLOTS), globals())
