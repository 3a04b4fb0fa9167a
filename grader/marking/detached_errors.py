"""Lets exceptions be kept without all that their frames hold; knows no check and no candidate."""

import sys
import traceback

_LAST = ("last_type", "last_value", "last_traceback", "last_exc")  # pytest leaves them to debuggers


def without_frames(error: BaseException | None) -> BaseException | None:
    """The same exception, alone: no traceback, and no exception that it came of.

    A traceback holds the local variables of every function that it passed: whatever a learner's
    code has answered there, of which a few fill the memory. The frames are emptied too, as they and
    the exception hold each other until the next collection of garbage.
    """
    waiting: list[BaseException] = [error] if error is not None else []
    met: list[BaseException] = []
    while waiting:
        one = waiting.pop()
        if any(one is other for other in met):
            continue
        met.append(one)
        waiting += [other for other in (one.__context__, one.__cause__) if other is not None]
        traceback.clear_frames(one.__traceback__)
        one.__traceback__ = one.__context__ = one.__cause__ = None
    if met:
        for name in _LAST:
            vars(sys).pop(name, None)
    return error
