"""Every mark of a class in one SQLite file; knows nothing of how marks are found or shown.

While a run writes, SQLite keeps a write-ahead log beside the file: a run killed at any moment loses
nothing that was recorded, each submission is in it wholly or not at all, and others may read
meanwhile. A run that ends folds the log in, so that the file alone can be copied or archived.
Marks that are the same to the letter are kept once, however many learners have them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property, wraps
from pathlib import Path
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from ..candidate.records import SubmissionMarks, mark_from_json
from . import due
from . import notes as notes_of
from .binding import bound_now, holds
from .database import as_json, open_to_read, open_to_write, transaction
from .entries import Entry, KnownSubmission, Standing, pieces_from
from .groups import Groups, groups_known, set_groups
from .lateness import Lateness
from .notes import ByHand
from .overrides import overrides
from .people import People
from .tries import set_tries, tries_known
from .words import GradebookError as GradebookError
from .words import plain_words
from .written import doubts_of, record, refuse_another_course, see, seen, standing

REPORT = "report"  # the folder of the pages beside it
_NOBODYS, _CHAPTERS = "nobodys", "chapters"  # facts
_PATIENCE = 5.0  # seconds to wait for another program that holds the file


P = ParamSpec("P")
T = TypeVar("T")
Others = Literal["absent", "present", "as before"]
_Asked = Callable[Concatenate[sqlite3.Connection, P], T]


def _reads(ask: _Asked[P, T]) -> Callable[Concatenate[Gradebook, P], T]:
    """A method that asks the open file, whose complaints are put into plain words."""

    @wraps(ask)
    def method(book: Gradebook, *args: P.args, **kwargs: P.kwargs) -> T:
        with plain_words(book.path):
            return ask(book._connection, *args, **kwargs)

    return method


def _writes(ask: _Asked[P, T]) -> Callable[Concatenate[Gradebook, P], T]:
    """The same, in a transaction."""

    @wraps(ask)
    def method(book: Gradebook, *args: P.args, **kwargs: P.kwargs) -> T:
        with plain_words(book.path), transaction(book._connection):
            return ask(book._connection, *args, **kwargs)

    return method


class Gradebook:
    """An open gradebook; a context manager that closes it."""

    def __init__(
        self, path: Path, connection: sqlite3.Connection, include_absent: bool = False
    ) -> None:
        refuse_another_course(path, connection)
        self.path = path
        self._chapters: tuple[str, ...] | None = None  # once they were asked for, or named
        self._group_of: dict[str, tuple[str, ...]] | None = None
        self._connection = connection
        self.include_absent = include_absent
        self._scope = "1" if include_absent else "NOT absent"

    @classmethod
    def create(cls, folder: Path, patience: float = _PATIENCE) -> Gradebook:
        """Open the gradebook of a folder for writing; make both where they are missing."""
        return cls(*open_to_write(folder, patience))

    @classmethod
    def open(
        cls, folder: Path, patience: float = _PATIENCE, *, include_absent: bool = False
    ) -> Gradebook:
        """Open the gradebook of a folder, or the file itself, for reading alone.

        It leaves out learners whom the latest run did not find, unless they are asked for.
        """
        return cls(*open_to_read(folder, patience), include_absent)

    def __enter__(self) -> Gradebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def chapters(self) -> tuple[str, ...]:
        """Those that submissions show, as `hold_to` stated if nobody names others; none: all."""
        if self._chapters is None:
            self._chapters = tuple(json.loads(self.fact(_CHAPTERS) or "[]"))
        return self._chapters

    @chapters.setter
    def chapters(self, named: Sequence[str]) -> None:
        self._chapters = (*named,)

    def hold_to(self, chapters: Sequence[str]) -> None:
        """State which chapters alone count from now on, for whoever opens it; none: all."""
        self.state(_CHAPTERS, as_json(list(chapters)))
        self.chapters = (*chapters,)

    def close(self) -> None:
        """Close it; what was recorded stays recorded."""
        self._connection.close()

    def fold(self) -> None:
        """Leave one plain file behind, fit for copying; without effect while somebody reads."""
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA journal_mode = DELETE")

    def known(self, learner: str) -> KnownSubmission | None:
        """What is recorded of one submission."""
        query = "SELECT content, settings FROM submission WHERE learner = ?"
        content, settings = next(self.rows(query, learner), (None, None))
        if content is None:
            return None
        query = "SELECT exercise, code, ifnull(judge, ?) FROM entry WHERE learner = ?"
        keys = {name: (code, by) for name, code, by in self.rows(query, settings, learner)}
        return KnownSubmission(content, settings, keys)

    # What is asked of the file alone, by functions of this room.
    seen, see, record = _reads(seen), _writes(see), _writes(record)
    notes = _reads(notes_of.all_notes)
    bound_now, holds = _reads(bound_now), _reads(holds)
    set_times, times = _writes(due.set_times), _reads(due.times_known)
    set_due, lateness = _writes(due.set_due), _reads(due.lateness_of)
    set_tries, tries = _writes(set_tries), _reads(tries_known)

    def begin(
        self, what: str, found: Sequence[str], others: Others, shared: Iterable[str] = ()
    ) -> None:
        """Note that a run over `what` begins, and the learners whom it has found.

        `others`: what all other learners are from now on. Nobody goes by a `shared` short name any
        more: those who would share it have their full ones.
        """
        rows = [*((0, each) for each in found), *((1, each) for each in set(shared) - set(found))]
        with plain_words(self.path), transaction(self._connection):
            self._note("unfinished", as_json(sorted({*self._unfinished(), what})))
            if others != "as before":
                self._connection.execute("UPDATE submission SET absent = ?", (others == "absent",))
            change = "UPDATE submission SET absent = ? WHERE learner = ?"
            self._connection.executemany(change, rows)

    def list_nobodys(self, files: Sequence[str], *, keeps: bool) -> None:
        """Note the class's files that are no submission, with why; `keeps` those of before too."""
        known = json.loads(self.fact(_NOBODYS) or "[]") if keeps else []
        self.state(_NOBODYS, as_json(sorted({*known, *files})))

    def finish(self, what: str, is_class: bool) -> None:
        """Note that the run over `what` has ended; that over a class makes up for all others."""
        left = [each for each in self._unfinished() if each != what and not is_class]
        with plain_words(self.path), transaction(self._connection):
            self._note("unfinished", as_json(left))
            for table in ("mark", "source"):
                used = f"SELECT {table} FROM entry WHERE {table} IS NOT NULL"
                self._connection.execute(f"DELETE FROM {table} WHERE id NOT IN ({used})")

    def standing(self) -> Standing:
        """How far what this gradebook gives can be relied on."""
        nobodys = json.loads(self.fact(_NOBODYS) or "[]")
        given = sorted(self.by_hand().items())
        with plain_words(self.path):
            found = standing(self._connection, self._scope, self._unfinished(), nobodys)
        hidden = sorted({learner for (learner, _), _ in given}.intersection(found.absent))
        return replace(found, hidden=tuple(hidden), waiting=tuple(k for k, h in given if h.waits))

    def learners(self) -> Iterator[str]:
        """Every learner, in the order of their names' code points."""
        query = "SELECT learner FROM submission WHERE {scope} ORDER BY learner"
        yield from (learner for (learner,) in self.rows(query))

    def submissions(self) -> Iterator[SubmissionMarks]:
        """Every learner's marks, one after the other; memory holds one learner at a time."""
        yield from filter(None, map(self.submission, self.learners()))

    def submission(self, learner: str) -> SubmissionMarks | None:
        """One learner's marks in course order."""
        wanted = "problems, settings = '', absent"
        query = f"SELECT {wanted} FROM submission WHERE learner = ? AND {{scope}}"
        head = next(self.rows(query, learner), None)
        if head is None:
            return None
        problems, failed, absent = head
        marks = (entry.mark for entry in self.entries(learner))
        return SubmissionMarks(
            learner,
            tuple(m for m in marks if not self.chapters or m.chapter in self.chapters),
            tuple(json.loads(problems)),
            doubts=doubts_of(self._unfinished(), failed, absent),
            said=self.said_of(learner),
        )

    def said_of(self, learner: str) -> tuple[str, ...]:
        """What is to be said of one learner's work as a whole: whose it is too, when it came."""
        *others, last = self.members(learner) or ("",)
        told = [f"The work of {', '.join(others)} and {last} together."] if others else []
        return (*told, self._late.said(learner)) if self._late else (*told,)

    @cached_property
    def _late(self) -> Lateness | None:
        return self.lateness()

    def members(self, learner: str) -> tuple[str, ...]:
        """Those of a learner's group; nobody where there is none."""
        if self._group_of is None:
            self._group_of = {each: own for own in self.groups().values() for each in own}
        return self._group_of.get(learner, ())

    def groups(self) -> Groups:
        """Who handed in together in the latest run, by the group's name."""
        with plain_words(self.path):
            return groups_known(self._connection)

    def set_groups(self, groups: Groups, keeps: bool = False) -> None:
        """Keep who handed in together, in place of what was known before, or beside it."""
        self._group_of = None
        with plain_words(self.path), transaction(self._connection):
            set_groups(self._connection, groups, keeps)

    def entries(self, learner: str) -> list[Entry]:
        """One learner's marks with the hashes that they are kept under."""
        rows = self.rows(
            "SELECT code, ifnull(judge, settings), details, ifnull(pieces, '[]'), answer "
            "FROM entry JOIN submission USING (learner) JOIN mark ON mark.id = entry.mark "
            "LEFT JOIN source ON source.id = entry.source WHERE learner = ? ORDER BY position",
            learner,
        )
        by_hand, found = self.by_hand(learner), []
        for code, settings, details, source, answer in rows:
            mark = mark_from_json(json.loads(details))
            mark = by_hand.get((learner, mark.name), ByHand()).put(mark)
            found.append(Entry(code, settings, mark, pieces_from(source), answer))
        return found

    def rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """What a query finds, row by row; `{scope}` in it stands for who is in the class."""
        with plain_words(self.path):
            yield from self._connection.execute(query.format(scope=self._scope), values)

    def by_hand(self, learner: str | None = None) -> dict[tuple[str, str], ByHand]:
        """What people set and wrote, of one learner or of all, by learner and exercise.

        What `entries` gives holds it; whoever reads marks by `rows` puts it in.
        """
        with plain_words(self.path):
            points = overrides(self._connection, learner)
            notes = notes_of.shown_notes(notes_of.all_notes(self._connection, learner))
        return {key: ByHand(points.get(key), notes.get(key, ())) for key in {*points, *notes}}

    @contextmanager
    def by_people(self) -> Iterator[People]:
        """Set and write by hand: all of it is kept, or nothing where it raises."""
        with plain_words(self.path), transaction(self._connection):
            yield People(self._connection)

    def count(self) -> int:
        """How many submissions are recorded, absent ones too."""
        return int(next(self.rows("SELECT count(*) FROM submission"))[0])

    def unisolated(self) -> int:
        """How many submissions were marked without isolation."""
        return len([*self.rows("SELECT 1 FROM submission WHERE NOT isolated AND {scope}")])

    def state(self, name: str, value: str) -> None:
        """State a fact about the whole gradebook, such as its seed."""
        with plain_words(self.path), transaction(self._connection):
            self._note(name, value)

    def fact(self, name: str) -> str:
        """A fact that `state` stated; empty where it did not."""
        return str(next(self.rows("SELECT value FROM fact WHERE name = ?", name), ("",))[0])

    def _note(self, name: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))

    def _unfinished(self) -> list[str]:
        """What runs that have not ended were to mark."""
        return list(json.loads(self.fact("unfinished") or "[]"))
