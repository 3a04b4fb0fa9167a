"""Remembers the marks of code that has been judged, for the learners who wrote the same; runs none.

Many answers of a class are the same to the letter: short ones, given ones, stubs. Each exercise is
marked in a worker of its own, so its mark depends on its code alone, whoever handed it in.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable

from ..records import Mark, Verdict

# What the machine's load may have had a hand in is judged anew for everybody.
_LASTING = {Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED}
_MOST = 1_000  # marks, of some kilobytes each: the memory of a run does not grow with the class


class Copies:
    """Marks by (code, judge), the latest used of them."""

    def __init__(self) -> None:
        self._marks: OrderedDict[tuple[str, str], Mark] = OrderedDict()

    def of(self, keys: Iterable[tuple[str, str]]) -> dict[str, Mark]:
        """The marks that are known under these keys, by exercise."""
        found = {}
        for key in keys:
            if key in self._marks:
                self._marks.move_to_end(key)
                mark = self._marks[key]
                found[mark.name] = mark
        return found

    def keep(self, key: tuple[str, str], mark: Mark) -> None:
        """Remember a mark, if it holds for whoever hands in the same."""
        if mark.verdict in _LASTING:
            self._marks[key] = mark
            self._marks.move_to_end(key)
            if len(self._marks) > _MOST:
                self._marks.popitem(last=False)
