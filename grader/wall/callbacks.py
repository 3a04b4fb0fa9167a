"""Calls a function of the examiner's because a worker asks for it, within bounds; knows no check.

It runs on the trusted side, with arguments that learner code has chosen.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

from torch import Tensor

from ..worker.bounded_memory import address_space, within

# Of what learner code may reasonably try a function on.
MAX_NUMBERS = 20_000_000  # of all tensors together
MAX_AXIS = 10_000
MAX_PARTS = 100_000
MAX_CHARACTERS = 2_000  # of one text
MAX_NUMBER = 1_000_000
ROOM = 2**29  # bytes that one call may take


class TooMuch(Exception):
    """The function was called with more than it is made for."""


@contextlib.contextmanager
def within_bounds(given: list[Any]) -> Iterator[None]:
    """Inside, a few small arguments that ask for a huge result make the call fail, and no more.

    Raises TooMuch where what the worker has given is more than a function is made for.
    """
    _weigh(given)
    with within(address_space(ROOM)):
        yield


def _weigh(given: list[Any]) -> None:
    waiting, numbers, parts = given, 0, 0
    while waiting:
        one = waiting.pop()
        parts += 1
        if isinstance(one, Tensor):
            numbers += one.numel()
            _refuse(max(one.shape, default=0) > MAX_AXIS, f"an axis of more than {MAX_AXIS:,}")
        elif isinstance(one, str):
            _refuse(len(one) > MAX_CHARACTERS, f"a text of more than {MAX_CHARACTERS:,} characters")
        elif isinstance(one, int):
            _refuse(not abs(one) <= MAX_NUMBER, f"a number beyond {MAX_NUMBER:,}")
        elif isinstance(one, list | tuple):
            waiting += one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        _refuse(parts + len(waiting) > MAX_PARTS, f"more than {MAX_PARTS:,} parts")
    _refuse(numbers > MAX_NUMBERS, f"more than {MAX_NUMBERS:,} numbers")


def _refuse(is_too_much: bool, what: str) -> None:
    if is_too_much:
        raise TooMuch(what)
