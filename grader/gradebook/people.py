"""What people may do about marks, each kept with who and when; knows no page and no request."""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from ..candidate.records import Note
from .notes import Meanwhile, NoteKind, NotTaken, add_notes, all_notes, open_requests, settings
from .overrides import Override, overrides, remove_override, set_override
from .words import GradebookError

MOST_REQUESTS = 20  # of one learner


class People:
    """Hands on a gradebook that is open for writing; every method is one thing that is done."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def set_points(self, new: Sequence[Override], seen: int | None = None) -> None:
        """Set points of one exercise for several, which stay whatever is marked anew.

        Raises Meanwhile where others were set after the setting that was `seen`.
        """
        if not new:
            return
        exercise = new[0].exercise
        self._refuse_later([each.learner for each in new], exercise, seen)
        for each in new:
            set_override(self._connection, each)
        said = [
            Note(None, n.learner, exercise, NoteKind.POINTS, n.who, "", f"{n.points:g}: {n.reason}")
            for n in new
        ]
        add_notes(self._connection, said)

    def take_back(
        self, learners: Sequence[str], exercise: str, who: str, seen: int | None = None
    ) -> bool:
        """Let the grader's own points count again; whether any were set.

        Raises Meanwhile as `set_points` does.
        """
        self._refuse_later(learners, exercise, seen)
        known = overrides(self._connection)
        had = [name for name in learners if (name, exercise) in known]
        for learner in had:
            remove_override(self._connection, learner, exercise)
        taken = "taken back: the grader's own points count"
        kept = [Note(None, name, exercise, NoteKind.POINTS, who, "", taken) for name in had]
        add_notes(self._connection, kept)
        return bool(had)

    def _refuse_later(self, learners: Sequence[str], exercise: str, seen: int | None) -> None:
        if seen is None:
            return
        for note in settings(all_notes(self._connection), exercise, learners):
            if (note.id or 0) > seen:
                meanwhile = f"has set points here meanwhile, on {note.time}: {note.text}"
                raise Meanwhile(f"{note.who} {meanwhile}")

    def comment(self, notes: Sequence[Note]) -> None:
        """Write these comments; raises GradebookError."""
        add_notes(self._connection, [replace(note, kind=NoteKind.COMMENT) for note in notes])

    def remove(self, number: int, who: str) -> Note:
        """Take a comment back, which stays in the history; raises GradebookError."""
        notes = all_notes(self._connection)
        gone = {note.about for note in notes if note.kind == NoteKind.REMOVED}
        for note in notes:
            if note.id == number and note.kind == NoteKind.COMMENT and number not in gone:
                parts = (note.learner, note.exercise, NoteKind.REMOVED, who, "", "taken back")
                add_notes(self._connection, [Note(None, *parts, about=number)])
                return note
        raise GradebookError(f"no comment has the number {number}")

    def ask(self, learner: str, exercise: str, text: str) -> None:
        """A learner's request to look at an answer again; raises GradebookError."""
        notes = all_notes(self._connection, learner)
        if any(note.exercise == exercise for note in open_requests(notes)):
            raise NotTaken(f"your request about {exercise} waits for an answer already")
        if sum(note.kind == NoteKind.REQUEST for note in notes) >= MOST_REQUESTS:
            raise NotTaken(f"more than {MOST_REQUESTS} requests: speak to your instructor")
        note = Note(None, learner, exercise, NoteKind.REQUEST, learner[:80], "", text)
        add_notes(self._connection, [note])

    def answer(self, number: int, text: str, who: str) -> Note:
        """Answer a request; raises GradebookError, and Meanwhile where somebody has done so."""
        notes = all_notes(self._connection)
        asked = next((n for n in notes if n.id == number and n.kind == NoteKind.REQUEST), None)
        if asked is None:
            raise NotTaken(f"no request has the number {number}")
        answer = next((n for n in notes if n.kind == NoteKind.ANSWER and n.about == number), None)
        if answer is not None:
            raise Meanwhile(f"{answer.who} has answered this on {answer.time}: {answer.text}")
        parts = (asked.learner, asked.exercise, NoteKind.ANSWER, who, "", text)
        add_notes(self._connection, [Note(None, *parts, about=number)])
        return asked
