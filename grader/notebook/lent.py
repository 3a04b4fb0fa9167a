"""Notices where the reference of an exercise runs, as `kit.earlier` lends it; judges nothing."""

from __future__ import annotations

from types import CodeType, FunctionType
from typing import Any

from ..course.references import reference


class LentWatch:
    """While it is entered, `ran` becomes true when the reference of this exercise runs.

    Wrapped, renamed or subclassed: what runs is the same function, with other code for a while.
    """

    def __init__(self, exercise: str) -> None:
        self.ran = False
        thing = reference(exercise)
        held = vars(thing).values() if isinstance(thing, type) else [thing]
        self._functions = [each for each in held if isinstance(each, FunctionType)]
        self._own = [function.__code__ for function in self._functions]
        self._noting = [_noting(function, self._note) for function in self._functions]

    def __enter__(self) -> None:
        for function, code in zip(self._functions, self._noting, strict=True):
            function.__code__ = code

    def __exit__(self, *_: object) -> None:
        for function, code in zip(self._functions, self._own, strict=True):
            function.__code__ = code

    def _note(self) -> None:
        self.ran = True


def _noting(function: FunctionType, note: Any) -> CodeType:
    code = function.__code__
    same = FunctionType(
        code, function.__globals__, code.co_name, function.__defaults__, function.__closure__
    )
    same.__kwdefaults__ = function.__kwdefaults__
    new = _calling.__code__
    return new.replace(
        co_consts=tuple((note, same) if type(each) is tuple else each for each in new.co_consts),
        co_freevars=code.co_freevars,
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
        co_name=code.co_name,
    )


def _calling(*args: Any, **kwargs: Any) -> Any:
    parts: Any = ("note", "function")  # a constant, which `_noting` replaces
    note, function = parts
    note()
    return function(*args, **kwargs)
