"""Reads a class out of its gradebook for the report, learner by learner and exercise by exercise.

What is kept once there is read once here, as far as memory goes; it shows nothing.
"""

import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby

from ..candidate.records import (
    SHORTCUT_TITLE,
    Diagnosis,
    Doubt,
    Mark,
    Note,
    SubmissionMarks,
    mark_from_json,
)
from ..curriculum.syllabus import syllabus
from ..gradebook.entries import Piece, pieces_from
from ..gradebook.notes import ByHand, open_requests
from ..gradebook.store import Gradebook, doubts_of
from .wording import is_idle

_MARKS = 20_000  # of different ones that stay in memory


@dataclass(frozen=True)
class ExerciseResult:
    """What a learner's exercise came to: mark and code by their numbers, what people did."""

    exercise: str
    mark: int
    source: int | None
    answer: str = ""  # the same for two whose answers are
    by_hand: ByHand | None = None


@dataclass(frozen=True)
class Learner:
    """One learner's answers, in course order."""

    name: str
    answers: tuple[ExerciseResult, ...]
    problems: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    said: tuple[str, ...] = ()  # of the work as a whole
    other_chapters: bool = False  # whether there are answers of chapters that do not count


class Classroom:
    """A gradebook as the report reads it."""

    def __init__(self, book: Gradebook) -> None:
        self.book = book
        self.mark = lru_cache(_MARKS)(self._mark)
        self.outcome = lru_cache(_MARKS)(self._outcome)
        self._by_hand = book.by_hand()
        its = ((each.name, each.chapter) for each in syllabus().exercises)
        self._counting = {name for name, chapter in its if chapter in book.chapters}
        self._exercises = {name: name for name in syllabus().names}  # one string for each

    def counts(self, exercise: str) -> bool:
        """Whether it is of a chapter that counts."""
        return not self.book.chapters or exercise in self._counting

    @cached_property
    def open_requests(self) -> list[Note]:
        """Requests that wait for an answer."""
        return open_requests(self.notes)

    @cached_property
    def notes(self) -> list[Note]:
        """Every note ever written."""
        return self.book.notes()

    def learners(self, only: Container[str] | None = None) -> Iterator[Learner]:
        """One after the other, in the order of their names; those of `only` where it is given."""
        unfinished = bool(self.book.standing().unfinished)
        rows = self.book.rows(
            "SELECT learner, problems, settings = '', absent, exercise, mark, source, answer "
            "FROM entry JOIN submission USING (learner) WHERE {scope} ORDER BY learner, position"
        )
        for (name, problems, failed, absent), group in groupby(rows, lambda row: row[:4]):
            if only is not None and name not in only:
                continue
            every = [self._answer(name, *row[4:]) for row in group]
            answers = [each for each in every if self.counts(each.exercise)]
            others = [each for each in every if not self.counts(each.exercise)]
            yield Learner(
                name,
                tuple(answers),
                tuple(json.loads(problems)),
                doubts_of(unfinished, failed, absent),
                self.book.said_of(name),
                other_chapters=any(not is_idle(self.mark(each.mark, None)) for each in others),
            )

    def marks(self, learner: Learner) -> SubmissionMarks:
        """All of one learner's marks."""
        marks = tuple(self.mark(answer.mark, answer.by_hand) for answer in learner.answers)
        known = SubmissionMarks(learner.name, marks, learner.problems)
        return replace(known, doubts=learner.doubts, said=learner.said)

    def sources(self, learner: Learner) -> list[tuple[Piece, ...]]:
        """The code of each of one learner's answers."""
        numbers = {a.source for a in learner.answers if a.source is not None}
        marks = ", ".join("?" * len(numbers))
        rows = self.book.rows(f"SELECT id, pieces FROM source WHERE id IN ({marks})", *numbers)
        found = {number: pieces_from(pieces) for number, pieces in rows}
        return [found.get(a.source or 0, ()) for a in learner.answers]

    def source(self, number: int | None) -> tuple[Piece, ...]:
        """The code of one answer."""
        found = self.book.rows("SELECT pieces FROM source WHERE id = ?", number)
        return next((pieces_from(pieces) for (pieces,) in found), ())

    def answers_to(self, exercise: str) -> Iterator[tuple[str, ExerciseResult]]:
        """Every learner's answer to one exercise."""
        rows = self.book.rows(
            "SELECT learner, mark, source, answer FROM submission JOIN entry USING (learner) "
            "WHERE exercise = ? AND {scope} ORDER BY learner",
            exercise,
        )
        for learner, *answer in rows:
            yield learner, self._answer(learner, exercise, *answer)

    def _answer(
        self, learner: str, exercise: str, mark: int, source: int | None, answer: str
    ) -> ExerciseResult:
        name = self._exercises.get(exercise, exercise)
        # Of what is the same to the byte alone, each has their own.
        own = answer or f"of {learner}"
        return ExerciseResult(name, mark, source, own, self._by_hand.get((learner, exercise)))

    def _mark(self, number: int, by_hand: ByHand | None) -> Mark:
        ((details,),) = self.book.rows("SELECT details FROM mark WHERE id = ?", number)
        mark = mark_from_json(json.loads(details))
        return by_hand.put(mark) if by_hand else mark

    def _outcome(self, number: int) -> object:
        """What a mark came to, wherever the code stands: the same for the same code."""
        mark = self.mark(number, None)
        checks = tuple((check.title, check.outcome) for check in mark.checks)
        named = tuple(found.id for found in mark.diagnosis)
        return mark.verdict, mark.points, checks, named, mark.carried


@dataclass
class SameAnswers:
    """Learners whose answers are the same."""

    mark: Mark
    source: int | None
    learners: list[str] = field(default_factory=list)
    notes: Counter[Note] = field(default_factory=Counter)  # without whose, and how many have each


@dataclass
class Mistake:
    """A misconception in one exercise: who has it and what it cost them together."""

    exercise: str
    diagnosis: Diagnosis
    learners: list[str] = field(default_factory=list)
    lost: float = 0.0


@dataclass
class ExerciseFacts:
    """One exercise over a class."""

    name: str
    checks: dict[str, Counter[str]] = field(default_factory=dict)  # outcomes by title
    tried: int = 0  # learners of whom any check was tried
    mistakes: dict[str, Mistake] = field(default_factory=dict)  # by id
    groups: list[SameAnswers] = field(default_factory=list)


def _set_to(hand: ByHand | None) -> tuple[float, str, bool] | None:
    """The points that a person set, why, and whether they count."""
    given = hand.override if hand else None
    return (given.points, given.reason, given.holds) if given else None


def equal_answers(room: Classroom, learner: str, exercise: str) -> list[str]:
    """Everybody whose answer has the same code, outcome and points as this learner's, and they."""
    answers = dict(room.answers_to(exercise))
    if learner not in answers:
        return []

    def same(answer: ExerciseResult) -> object:
        return room.outcome(answer.mark), answer.answer, _set_to(answer.by_hand)

    own = same(answers.pop(learner))
    return [learner, *(name for name, each in answers.items() if same(each) == own)]


def sources(
    book: Gradebook, learners: Sequence[str], exercise: str
) -> dict[str, tuple[Piece, ...]]:
    """The code of these learners' answers to an exercise, by learner."""
    entries = ((learner, each) for learner in learners for each in book.entries(learner))
    return {learner: each.source for learner, each in entries if each.mark.name == exercise}


def facts_of(room: Classroom, name: str) -> ExerciseFacts:
    """What became of one exercise."""
    facts = ExerciseFacts(name)
    by_answer: dict[ExerciseResult, list[str]] = {}
    for learner, answer in room.answers_to(name):
        by_answer.setdefault(answer, []).append(learner)
    groups: dict[object, SameAnswers] = {}
    for answer, learners in by_answer.items():
        hand = answer.by_hand or ByHand()
        mark = room.mark(answer.mark, replace(hand, notes=()))
        for check in mark.checks:
            outcomes = facts.checks.setdefault(check.title, Counter())
            outcomes[str(check.outcome)] += len(learners)
        facts.tried += len(learners) if mark.checks else 0
        for found in mark.diagnosis:
            mistake = facts.mistakes.setdefault(found.id, Mistake(name, found))
            mistake.learners += learners
            lost = (mark.max_points - mark.points) / len(mark.diagnosis)
            mistake.lost += lost * len(learners)
        if is_idle(mark):
            continue
        key = room.outcome(answer.mark), _set_to(hand), answer.answer
        group = groups.setdefault(key, SameAnswers(mark, answer.source))
        group.learners += learners
        for note in hand.notes:
            group.notes[replace(note, id=None, learner="", about=0)] += len(learners)
    if caught := facts.checks.get(SHORTCUT_TITLE):  # a mark has it where it does not hold alone
        caught["passed"] = facts.tried - caught.total()
    facts.groups = sorted(groups.values(), key=lambda each: -len(each.learners))
    return facts
