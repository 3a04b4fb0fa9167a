"""Remembers the marks of code that has been judged, for the learners who wrote the same; runs none.

Many answers of a class are the same to the letter: short ones, given ones, stubs. Each exercise is
marked in a worker of its own, so its mark depends on its code alone, whoever handed it in.
"""

from collections.abc import Mapping
from dataclasses import replace

from ..candidate.message import Field, Place, message_of
from ..candidate.records import Mark, Verdict
from ..diagnosis.latest import Latest
from ..submission import file_of
from .keys import CanonicalKey

# What the machine's load may have had a hand in is judged anew for everybody.
_LASTING = {Verdict.PASSED, Verdict.PARTIAL, Verdict.FAILED, Verdict.ERROR}
_MOST = 1_000  # marks, of some kilobytes each: the memory of a run does not grow with the class


class Copies:
    """Marks by what was judged, the latest used of them."""

    def __init__(self) -> None:
        self._marks: Latest[str, tuple[tuple[str, ...], Mark]] = Latest(_MOST)

    def of(self, wanted: Mapping[str, CanonicalKey | None]) -> dict[str, Mark]:
        """The marks that are known already, by exercise, with these learners' cells in them."""
        found = {}
        for name, alike in wanted.items():
            if alike and alike.key in self._marks:
                cells, mark = self._marks[alike.key]
                found[name] = _retold(mark, dict(zip(cells, alike.cells, strict=True)))
        return found

    def keep(self, alike: CanonicalKey, mark: Mark) -> bool:
        """Remember a mark, if it holds for whoever hands in the same; whether it does."""
        if mark.verdict not in _LASTING:
            return False
        self._marks[alike.key] = alike.cells, mark
        return True


def _retold(mark: Mark, cells: Mapping[str, str]) -> Mark:
    """The mark with the places that it names in other cells, or in the same of other files."""
    files = {file_of(one): file_of(other) for one, other in cells.items()}

    def moved(field: Field) -> Field:
        if not isinstance(field, Place):
            return field
        file = file_of(field.label)
        elsewhere = files.get(file, file) + field.label[len(file) :]
        return replace(field, label=cells.get(field.label, elsewhere))

    def retold(message: str) -> str:
        return message_of(message).rebuilt(moved)

    checks = tuple(replace(check, message=retold(check.message)) for check in mark.checks)
    location = mark.location
    if location is not None:
        place = moved(Place(location.cell, location.line))
        assert isinstance(place, Place)
        location = replace(location, cell=place.label, message=retold(location.message))
    return replace(mark, checks=checks, message=retold(mark.message), location=location)
