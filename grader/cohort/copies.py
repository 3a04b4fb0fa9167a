"""Remembers the marks of code that has been judged, for the learners who wrote the same; runs none.

Many answers of a class are the same to the letter: short ones, given ones, stubs. Each exercise is
marked in a worker of its own, so its mark depends on its code alone, whoever handed it in.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from ..records import Mark, Verdict, mark_from_json, mark_to_json
from .keys import Alike

# What the machine's load may have had a hand in is judged anew for everybody.
_LASTING = {Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED, Verdict.ERROR}
_MOST = 1_000  # marks, of some kilobytes each: the memory of a run does not grow with the class


class Copies:
    """Marks by what was judged, the latest used of them."""

    def __init__(self) -> None:
        self._marks: OrderedDict[str, tuple[tuple[str, ...], Mark]] = OrderedDict()

    def of(self, wanted: Mapping[str, Alike]) -> dict[str, Mark]:
        """The marks that are known already, by exercise, with these learners' files in them."""
        found = {}
        for name, alike in wanted.items():
            if alike.key in self._marks:
                self._marks.move_to_end(alike.key)
                files, mark = self._marks[alike.key]
                found[name] = _retold(mark, dict(zip(files, alike.files, strict=True)))
        return found

    def keep(self, alike: Alike, mark: Mark) -> bool:
        """Remember a mark, if it holds for whoever hands in the same; whether it does."""
        if mark.verdict not in _LASTING:
            return False
        self._marks[alike.key] = alike.files, mark
        self._marks.move_to_end(alike.key)
        if len(self._marks) > _MOST:
            self._marks.popitem(last=False)
        return True


def _retold(mark: Mark, files: Mapping[str, str]) -> Mark:
    """The mark with the places that it tells in other files."""
    if all(old == new for old, new in files.items()):
        return mark
    names = "|".join(re.escape(name) for name in sorted(files, key=len, reverse=True))
    place = re.compile(rf"({names})(?=, (?:cell|line) \d)")

    def told(value: Any) -> Any:
        if isinstance(value, str):
            return place.sub(lambda found: files[found[1]], value)
        if isinstance(value, list | tuple):
            return [told(each) for each in value]
        if isinstance(value, dict):
            return {key: told(each) for key, each in value.items()}
        return value

    return mark_from_json(told(mark_to_json(mark)))
