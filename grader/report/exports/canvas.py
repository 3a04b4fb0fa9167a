"""Writes points as a CSV that Canvas imports into its gradebook; knows no check."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from ...candidate.records import Doubt
from ...curriculum.complaint import Complaint
from ...curriculum.course import course as chosen_course
from ...curriculum.syllabus import syllabus
from ...gradebook.roster import RosterError, canvas_number, read_records
from ...gradebook.store import Gradebook
from ..text import visible
from . import Options
from .spreadsheet import rows

_HEAD = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_POSSIBLE = "Points Possible"  # in place of a name
_ASSIGNMENT = re.compile(r"\([0-9]+\)\s*$")  # a column's title ends with Canvas's number
_SHOWN = 10  # columns


def write(book: Gradebook, out: TextIO, options: Options) -> None:
    """One column, the points in all; `title` may end with Canvas's own number: `Marks (1234)`.

    A learner's name is their SIS login. With `roster`, a gradebook exported from Canvas, each is
    looked up there and gets the row's identity; who is not in it is left out. Where it has this
    column already, points are on its scale.
    """
    rows(out, _table(book, options))


def left_out(book: Gradebook, options: Options) -> list[str]:
    """The learners of whom Canvas would find nobody, or somebody else."""
    roster = _Roster(options.roster) if options.roster else None
    known = _identities(book, roster)
    return [name for name in book.learners() if name not in known]


def misfits(options: Options) -> list[str]:
    """Where title and scale are not those of a column that the roster has."""
    if options.roster is None:
        return []
    roster, title = _Roster(options.roster), _title(options)
    if title not in roster.columns:
        own = [visible(name) for name in roster.columns if _ASSIGNMENT.search(name)]
        more = f" and {len(own) - _SHOWN} more" if len(own) > _SHOWN else ""
        meant = f"; one of these may be meant: {', '.join(own[:_SHOWN])}{more}" if own else ""
        new = "which Canvas takes for a new assignment"
        return [f"{options.roster} has no column {title!r} (--title), {new}{meant}."]
    most, out_of = roster.most(title), options.scale.out_of
    if out_of is None or most is None or out_of == most:
        return []
    return [f"Points are out of {out_of:g} here (--out-of), and {title!r} has {most:g} in Canvas."]


def _title(options: Options) -> str:
    return options.title or chosen_course().title


def _table(book: Gradebook, options: Options) -> Iterator[Sequence[str | float]]:
    roster = _Roster(options.roster) if options.roster else None
    title = _title(options)
    yield [*_HEAD, title]
    course = syllabus().exercises
    shown = [each for each in course if not book.chapters or each.chapter in book.chapters]
    most = options.scale.out_of
    if most is None and roster is not None:
        most = roster.most(title)
    yield [f"    {_POSSIBLE}", *[""] * 4, sum(e.points for e in shown) if most is None else most]
    known = _identities(book, roster)
    for submission in book.submissions():
        if Doubt.FAILED in submission.doubts:
            continue  # no mark is better than one that nobody made
        if submission.learner in known:
            yield [*known[submission.learner], options.scale.total(submission, most)]


def _identities(book: Gradebook, roster: _Roster | None) -> dict[str, tuple[str, ...]]:
    """Whose row is known beyond doubt: nobody's is better than one that may be another's.

    A row of which two learners seem to be is neither's.
    """
    found = {name: _identity(name, roster) for name in book.learners()}
    times = Counter(found.values())
    return {name: row for name, row in found.items() if row is not None and times[row] == 1}


def _identity(learner: str, roster: _Roster | None) -> tuple[str, ...] | None:
    if roster is not None:
        return roster.row(learner)
    return None if canvas_number(learner) else (learner, "", "", learner, "")


class _Roster:
    """Canvas's own export: a row by login, else by SIS ID, else by the name that is shown; by
    Canvas's number where that is all that is known of a learner.

    Whose name it is may choose it. So one that is like another's login or SIS ID, but for upper and
    lower case and for what stands behind an @, is nobody's.
    """

    def __init__(self, path: Path) -> None:
        """Raises Complaint."""
        try:
            rows = read_records(path, ["Student"], ["ID"])
        except RosterError as error:
            raise Complaint(f"{path} is no gradebook of Canvas: {error}") from None
        self.columns = [*rows[0]] if rows else []
        self._possible = next((r for r in rows if r["Student"].strip() == _POSSIBLE), {})
        self._by_number: dict[str, tuple[str, ...]] = {}
        self._by_login: dict[str, tuple[str, ...]] = {}
        self._by_id: dict[str, tuple[str, ...]] = {}
        self._by_name: dict[str, tuple[str, ...]] = {}
        for row in rows:
            identity = tuple(row.get(column, "") for column in _HEAD)
            if identity[1]:
                self._by_number[identity[1]] = identity
            own = ((self._by_login, 3), (self._by_id, 2), (self._by_name, 0))
            for known, place in own:
                if cell := _plain(identity[place]):
                    known[cell] = () if cell in known else identity
        self._alike: dict[str, set[tuple[str, ...]]] = {}
        unchosen = (*self._by_login.items(), *self._by_id.items(), *self._by_number.items())
        for each, identity in unchosen:
            for like in {each.casefold(), each.casefold().partition("@")[0]}:
                self._alike.setdefault(like, set()).add(identity)

    def most(self, title: str) -> float | None:
        """The points that a column of this title has in Canvas; None where there is none."""
        with suppress(ValueError):
            return float(self._possible.get(title, "")) or None
        return None

    def row(self, learner: str) -> tuple[str, ...] | None:
        """Whose row it is beyond doubt; None where it may be another's."""
        if number := canvas_number(learner):
            return self._by_number.get(number)
        name = _plain(learner)
        if (known := self._by_login.get(name, self._by_id.get(name))) is not None:
            return known or None
        own = self._by_name.get(name)
        return own if own and self._alike.get(name.casefold(), {own}) == {own} else None


def _plain(name: str) -> str:
    """The same for a name however its accents are encoded, as systems differ in that."""
    return unicodedata.normalize("NFC", name)
