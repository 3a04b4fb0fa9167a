"""Notices where the reference of an exercise runs, as `kit.earlier` lends it; judges nothing."""

from types import FunctionType

from ..course.references import reference
from ..worker.call_notes import overheard


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
        self._noting = [overheard(function, self._note)[0] for function in self._functions]

    def __enter__(self) -> None:
        for function, code in zip(self._functions, self._noting, strict=True):
            function.__code__ = code

    def __exit__(self, *_: object) -> None:
        for function, code in zip(self._functions, self._own, strict=True):
            function.__code__ = code

    def _note(self) -> None:
        self.ran = True
