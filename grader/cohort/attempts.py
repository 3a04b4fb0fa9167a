"""Tells a learner's attempts apart by their names, and says which one counts; marks none."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..course.syllabus import syllabus
from ..gradebook.store import Gradebook, Recorded
from ..submission import Found, short_name
from .lock import held

# ada+2026-01-31T120000Z as `grader collect` writes it, ada+hw1+2026-01-31 12:00:00.5 UTC+x as
# nbgrader's exchange does: who, perhaps what, when, perhaps a suffix.
_ATTEMPT = re.compile(
    r"(?P<learner>[^+]+)\+(?:[^+]+\+)?"
    r"(?P<time>\d{4}-\d\d-\d\d[T ]\d\d:?\d\d:?\d\d(?:\.\d+)?)\s?(?:Z|UTC)?(?:\+[^+]*)?"
)
_DIGITS = re.compile(r"(....)(..)(..)(..)(..)(..).*")


@dataclass(frozen=True)
class FileHandedIn:
    """One attempt; `name` is what it would be marked under by itself."""

    learner: str
    name: str
    path: Path
    time: str  # 2026-01-31T12:00:00Z; empty where its name tells none


def attempts_of(found: Iterable[Found]) -> dict[str, list[FileHandedIn]]:
    """Each learner's attempts, oldest first; who has no time in the name has one attempt."""
    by_learner: dict[str, list[tuple[str, FileHandedIn]]] = {}
    for each in found:
        name = _ATTEMPT.fullmatch(short_name(each.learner))
        learner = name["learner"] if name else each.learner
        digits = re.sub(r"\D", "", name["time"]) if name else ""
        time = re.sub(_DIGITS, r"\1-\2-\3T\4:\5:\6Z", digits)
        attempt = FileHandedIn(learner, each.learner, each.path, time)
        by_learner.setdefault(learner, []).append((digits.ljust(20, "0"), attempt))
    return {
        learner: [attempt for _, attempt in sorted(rows, key=lambda row: (row[0], row[1].name))]
        for learner, rows in sorted(by_learner.items())
    }


def last(attempts: dict[str, list[FileHandedIn]]) -> list[FileHandedIn]:
    """The latest of each learner."""
    return [each[-1] for each in attempts.values()]


def best(attempts: dict[str, list[FileHandedIn]], tried: Path) -> list[FileHandedIn]:
    """That of each learner with the most points in the gradebook of `tried`; the earliest of
    those with as many."""
    with Gradebook.open(tried) as book:

        def points(attempt: FileHandedIn) -> float:
            marks = book.submission(attempt.name)
            return marks.points if marks else 0.0

        return [max(each, key=points) for each in attempts.values()]


def adopt(chosen: Sequence[FileHandedIn], tried: Path, folder: Path) -> None:
    """Give the gradebook of `folder` the marks that attempts got in that of `tried`.

    A run over them finds that they are marked. Raises GradebookError, and Held.
    """
    order = syllabus().names
    with Gradebook.open(tried) as source, Gradebook.create(folder) as book, held(folder):
        for each in chosen:
            known, marks = source.known(each.name), source.submission(each.name)
            if known is None or marks is None or book.known(each.learner) == known:
                continue
            query = "SELECT isolated FROM submission WHERE learner = ?"
            ((isolated,),) = source.rows(query, each.name)
            head = (each.learner, known.content, known.settings, bool(isolated), marks.problems)
            book.record(Recorded(*head, tuple(source.entries(each.name))), order)
