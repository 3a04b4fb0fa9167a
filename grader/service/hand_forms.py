"""Reads the forms of the live report and does what they ask for; knows no request's head."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import parse_qs

from ..candidate.records import Note
from ..curriculum.syllabus import syllabus
from ..gradebook.notes import Meanwhile, NoteKind, on_own_lines
from ..gradebook.overrides import same_for
from ..gradebook.people import People
from ..gradebook.store import Gradebook, GradebookError
from ..report.classroom import Classroom, equal_answers, sources
from ..report.text import page_name
from .refusal import Refusal

MAX_FORM = 100_000  # bytes
_DOES = ("comment", "points", "take back", "remove", "answer")
_PAGE = re.compile(r"(?:learners|exercises)/[\w-]+\.html", re.ASCII)


@dataclass(frozen=True)
class Done:
    """What an instructor does about one answer."""

    do: str
    who: str
    page: str  # to come back to
    learner: str  # as pages name them
    exercise: str
    fields: Mapping[str, str]

    def number(self, name: str) -> int:
        """A whole number; 0 where there is none."""
        text = self.fields.get(name, "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def read_form(body: bytes, who: str, key: str) -> Done:
    """What a form asks for, which is kept as done by `who`; raises Refusal."""
    try:
        sent = parse_qs(body.decode("utf-8"), keep_blank_values=True, max_num_fields=40)
    except ValueError:
        raise Refusal(400, "What was sent is no form of the report.") from None
    fields = {name: values[0].replace("\r\n", "\n") for name, values in sent.items()}
    if fields.get("key") != key:
        raise Refusal(409, "This page is from before the checker started: open it again.")
    page, do, exercise = (fields.get(name, "") for name in ("page", "do", "exercise"))
    if do not in _DOES or exercise not in syllabus().names or not _PAGE.fullmatch(page):
        raise Refusal(400, "What was sent is no form of the report.")
    return Done(do, who, page, fields.get("learner", ""), exercise, fields)


def perform(marks: Path, done: Done) -> list[str]:
    """Do it; all whom it concerned. Raises GradebookError, and Meanwhile."""
    Gradebook.open(marks).close()  # one that is not there is not made
    with Gradebook.create(marks) as book:
        names = {page_name(name): name for name in book.learners()}
        if done.learner not in names:
            raise GradebookError("the class has no such learner any more")
        learner = names[done.learner]
        learners = [learner]
        if done.fields.get("alike"):
            learners = equal_answers(Classroom(book), learner, done.exercise)
            if len(learners) != done.number("size"):
                raise Meanwhile(
                    f"{len(learners)} learners have this answer now, and the page showed "
                    f"{done.number('size')}: look at it again"
                )
        if done.do in ("comment", "points"):
            _refuse_another(book, learner, done)
        (entry,) = (each for each in book.entries(learner) if each.mark.name == done.exercise)
        with book.by_people() as people:
            if done.do == "points":
                new = same_for(learners, entry.mark, *_points(done), done.who)
                people.set_points(new, done.number("seen"))
            elif done.do == "comment":
                note = _note(done, entry.source)
                people.comment(on_own_lines(note, learner, sources(book, learners, done.exercise)))
            else:
                _other(people, done, learners)
        book.fold()
    return learners


def _refuse_another(book: Gradebook, learner: str, done: Done) -> None:
    """Raise Meanwhile where the answer is another one than the page has shown."""
    answer, held = (done.fields.get(name, "") for name in ("answer", "held"))
    if not book.holds(learner, done.exercise, answer, held):
        raise Meanwhile("another answer counts since this page was shown: look at it again")


def _other(people: People, done: Done, learners: list[str]) -> None:
    if done.do == "take back":
        people.take_back(learners, done.exercise, done.who, done.number("seen"))
    elif done.do == "remove":
        people.remove(done.number("number"), done.who)
    else:
        people.answer(done.number("number"), done.fields.get("text", ""), done.who)


def _points(done: Done) -> tuple[float, str]:
    reason = done.fields.get("reason", "").strip()
    try:
        points = float(done.fields.get("points", ""))
    except ValueError:
        points = math.nan
    if not math.isfinite(points) or not 0 < len(reason) <= 1_000:
        raise GradebookError("give points and a reason, of at most 1,000 characters")
    return points, reason


def _note(done: Done, source: tuple[tuple[str, int, str], ...]) -> Note:
    """The comment, on the line that was chosen; raises GradebookError where that is none."""
    text = done.fields.get("text", "")
    note = Note(None, "", done.exercise, NoteKind.COMMENT, done.who, "", text)
    chosen = re.fullmatch(r"(\d{1,6})\|(\d{1,6})", done.fields.get("place", ""), re.ASCII)
    if chosen is None:
        return note
    if int(chosen[1]) >= len(source):
        raise GradebookError("this answer has other code now: look at it again")
    return replace(note, cell=source[int(chosen[1])][0], line=int(chosen[2]))
