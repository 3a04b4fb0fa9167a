"""What people write beside marks: comments, requests to look again, answers; nothing is erased.

A note stays through every run. One that was taken back stays too, and is shown no more.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum

from ..candidate.records import Mark, Note
from .binding import bound_now, holds, lines_of
from .entries import Piece
from .overrides import Override
from .words import GradebookError

MOST_TEXT, MOST_WHO = 4_000, 80  # characters
_STORED = 11  # fields of a note, from `id` to `about`


class NoteKind(StrEnum):
    """What a note is."""

    COMMENT = "comment"
    REQUEST = "request"  # a learner's, to look again
    ANSWER = "answer"
    POINTS = "points"  # that points were set or taken back; the history of them
    REMOVED = "removed"  # a comment was taken back


SHOWN = (NoteKind.COMMENT, NoteKind.REQUEST, NoteKind.ANSWER)


class NotTaken(GradebookError):
    """What somebody wants to do makes no sense here; the message says why, and names no file."""


class Meanwhile(NotTaken):
    """Somebody else has done something about this meanwhile; the message says who."""


@dataclass(frozen=True)
class ByHand:
    """What people set and wrote of one answer."""

    override: Override | None = None
    notes: tuple[Note, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether points were set for another answer than the one that counts."""
        return self.override is not None and not self.override.holds

    def put(self, mark: Mark) -> Mark:
        """The mark with all of it."""
        mark = self.override.put(mark) if self.override else mark
        return replace(mark, notes=self.notes) if self.notes else mark


def add_notes(connection: sqlite3.Connection, notes: Iterable[Note]) -> None:
    """Keep them, each with the moment and the answer that counts now.

    Raises NotTaken where a text is empty or too long.
    """
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    for note in notes:
        if not (note.text.strip() and len(note.text) <= MOST_TEXT):
            raise NotTaken(f"a text has from 1 to {MOST_TEXT:,} characters")
        if not (note.who.strip() and len(note.who) <= MOST_WHO):
            raise NotTaken(f"say who writes this, in at most {MOST_WHO} characters")
        stored = astuple(replace(note, id=None, time=now))[:_STORED]
        row = (*stored, *bound_now(connection, note.learner, note.exercise))
        connection.execute(f"INSERT INTO note VALUES ({', '.join('?' * len(row))})", row)


def on_own_lines(note: Note, learner: str, sources: Mapping[str, Sequence[Piece]]) -> list[Note]:
    """The comment for each of those who gave one answer, on the line of their own code.

    `learner` is the one whose line the note names. Raises NotTaken where there is no such line.
    """
    source = sources[learner]
    placed = _on_line(note, source)
    return [
        replace(_on_the_same_line(placed, source, own), learner=name)
        for name, own in sources.items()
    ]


def _on_line(note: Note, source: Sequence[Piece]) -> Note:
    """The comment with what stands in its line; of several cells with such a line, the first."""
    if not note.line:
        return note
    for label, first, code in source:
        lines = code.split("\n")
        if note.cell in ("", label) and first <= note.line < first + len(lines):
            return replace(note, cell=label, code=lines[note.line - first].strip())
    ends = ((label, first, first + code.count("\n")) for label, first, code in source[:5])
    places = ", ".join(f"{label}, lines {first} to {last}" for label, first, last in ends)
    raise NotTaken(f"this answer has no line {note.line}; its code: {places or 'none'}")


def _on_the_same_line(note: Note, source: Sequence[Piece], own: Sequence[Piece]) -> Note:
    """What stands on a line of `source`, in another's own cell and line; on none where it has
    another text there.
    """
    if not note.line:
        return note
    for (label, first, code), (cell, start, other) in zip(source, own, strict=False):
        offset, lines = note.line - first, other.split("\n")
        if label == note.cell and 0 <= offset <= code.count("\n"):
            if offset < len(lines) and lines[offset].strip() == note.code:
                return replace(note, cell=cell, line=start + offset)
            break
    return replace(note, cell="", line=0, code="")


def all_notes(connection: sqlite3.Connection, learner: str | None = None) -> list[Note]:
    """Every note ever written, of one learner or of all, oldest first."""
    one = () if learner is None else (learner,)
    where = "WHERE learner = ?" if one else ""
    rows = connection.execute(f"SELECT * FROM note {where} ORDER BY id", one).fetchall()
    found = []
    for row in rows:
        note, bound = Note(*row[:_STORED]), row[_STORED:]
        its = note.learner, note.exercise
        stands = not note.code or note.code in map(str.strip, lines_of(connection, *its))
        found.append(replace(note, of_another=not (stands and holds(connection, *its, *bound))))
    return found


def shown_notes(notes: Sequence[Note]) -> dict[tuple[str, str], tuple[Note, ...]]:
    """Those that are shown, by learner and exercise."""
    gone = {note.about for note in notes if note.kind == NoteKind.REMOVED}
    found: dict[tuple[str, str], tuple[Note, ...]] = {}
    for note in notes:
        if note.kind in SHOWN and note.id not in gone:
            key = note.learner, note.exercise
            found[key] = (*found.get(key, ()), note)
    return found


def open_requests(notes: Sequence[Note]) -> list[Note]:
    """Requests that nobody has answered, oldest first."""
    answered = {note.about for note in notes if note.kind == NoteKind.ANSWER}
    return [n for n in notes if n.kind == NoteKind.REQUEST and n.id not in answered]


def latest(notes: Sequence[Note], exercise: str, learners: Iterable[str]) -> int:
    """The number of the last setting of points of one exercise of any of these; 0: none."""
    return max((note.id or 0 for note in settings(notes, exercise, learners)), default=0)


def settings(notes: Sequence[Note], exercise: str, learners: Iterable[str]) -> list[Note]:
    """The notes that points of one exercise of any of these were set or taken back."""
    own = {(learner, exercise, NoteKind.POINTS) for learner in learners}
    return [note for note in notes if (note.learner, note.exercise, note.kind) in own]
