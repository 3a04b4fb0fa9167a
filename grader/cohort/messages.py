"""What travels between a run and its jobs, as JSON: tasks there, answers back; marks nothing."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol, Self

from ..candidate.records import Mark, Verdict, mark_from_json, mark_to_json
from ..curriculum.complaint import Complaint
from ..curriculum.syllabus import syllabus
from ..diagnosis.misconceptions.catalogue import CatalogueError
from ..gradebook.entries import Entry, KnownSubmission, Recorded
from ..submission import Cell, Submission
from .keys import CanonicalKey


class NoIsolation(Complaint):
    """Untrusted submissions cannot be marked on this machine; `why` says what is missing."""

    def __init__(self, why: Iterable[str]) -> None:
        self.why = tuple(why)
        super().__init__("; ".join(self.why))


@dataclass(frozen=True)
class Setup:
    """What a whole run judges with; `judging` is a hash of code and versions, `settings` of all.

    `draws_by_code`, `waits_at_random`: as the examiner has them.
    """

    seed: int = 0
    limits: dict[str, float] = field(default_factory=dict)
    trust: bool = False
    judging: str = ""
    settings: str = ""
    draws_by_code: bool = False
    waits_at_random: bool = False
    nice: int = 0  # by how much whatever else runs comes first


@dataclass(frozen=True)
class Task:
    """One submission to mark: where it lies, or what was read of it already."""

    learner: str
    path: str = ""
    cells: tuple[Cell, ...] = ()
    problems: tuple[str, ...] = ()
    known: KnownSubmission | None = None
    exercises: tuple[str, ...] = ()  # these alone; all of the course where none is named

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The task that `asdict` wrote, and JSON may have changed since."""
        lists = {name: tuple(data[name]) for name in ("problems", "exercises")}
        cells = tuple(Cell(**cell) for cell in data["cells"])
        if known := data["known"]:
            known = KnownSubmission(
                **{**known, "keys": {n: (*key,) for n, key in known["keys"].items()}}
            )
        return cls(**{**data, **lists, "cells": cells, "known": known})

    def submission(self) -> Submission:
        """What was read already."""
        return Submission(self.learner, frozenset(syllabus().names), self.cells, self.problems)


def first_task() -> Task:
    """What has an examiner load all that it needs before anybody asks."""
    name = syllabus().names[0]
    return Task("", cells=(Cell(f"def {name}(*_): return 0", "", "", 0),), exercises=(name,))


@dataclass(frozen=True)
class TaskResult:
    """What came of one task. `new` is None where the gradebook is up to date; `failed` says why
    the grader itself could not mark it."""

    learner: str
    new: Recorded | None = None
    failed: str = ""
    fresh: tuple[tuple[CanonicalKey, Mark], ...] = ()  # for others who handed in the same
    seconds: float = 0.0  # that marking it took; 0 where none was needed

    @classmethod
    def of_error(cls, learner: str, error: Exception) -> "TaskResult":
        """The grader itself fell over this task."""
        return cls(learner, failed=f"{type(error).__name__}: {error}")


class Marking(Protocol):
    """What marks tasks: jobs of this machine, or a cluster; nothing starts before the first."""

    def run(self, tasks: Iterable[Task], count: int = 1) -> Iterator[TaskResult]:
        """Every task's answer; `count`: how many there are."""

    def close(self) -> None:
        """End what was started."""


def answer_to_json(answer: TaskResult) -> dict[str, Any]:
    """Plain JSON values; `answer_from_json` is the inverse."""
    if answer.new is None:
        return {"learner": answer.learner, "failed": answer.failed, "new": None}
    entries = [
        [e.code, e.settings, mark_to_json(e.mark), e.source, e.answer] for e in answer.new.entries
    ]
    new = {**vars(answer.new), "entries": entries}
    fresh = [[alike.key, alike.cells, mark_to_json(mark)] for alike, mark in answer.fresh]
    head = {"learner": answer.learner, "failed": answer.failed, "seconds": answer.seconds}
    return {**head, "new": new, "fresh": fresh}


REFUSALS = (NoIsolation, CatalogueError)  # of whatever there is to mark


def refusal_to_json(error: Exception) -> dict[str, Any]:
    """Plain JSON values of one of these, in the place of an answer."""
    if isinstance(error, NoIsolation):
        return {"no_isolation": error.why}
    return {"bad_catalogue": str(error)}


def answer_from_json(data: dict[str, Any]) -> TaskResult:
    """The answer that `answer_to_json` wrote; raises what `refusal_to_json` wrote."""
    if "no_isolation" in data:
        raise NoIsolation(data["no_isolation"])
    if "bad_catalogue" in data:
        raise CatalogueError(data["bad_catalogue"])
    new = data["new"]
    if new is not None:
        entries = tuple(
            Entry(code, settings, mark_from_json(mark), tuple(map(tuple, source)), answer)
            for code, settings, mark, source, answer in new.pop("entries")
        )
        problems = tuple(new.pop("problems"))
        new = Recorded(**new, problems=problems, entries=entries)
    return TaskResult(data["learner"], new, data["failed"], seconds=data.get("seconds", 0.0))


def unmarked(learner: str, why: str, isolated: bool) -> Recorded:
    """What is recorded where the grader itself failed: no points, and the next run tries again."""
    message = f"The grader could not mark this submission: {why}"
    marks = (
        Mark(e.name, e.chapter, Verdict.CRASHED, 0.0, e.points, message=message)
        for e in syllabus().exercises
    )
    entries = tuple(Entry("", "", mark, answer="") for mark in marks)
    return Recorded(learner, "", "", isolated, (message,), entries)
