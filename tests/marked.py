"""Marks, gradebooks and hostile texts for the tests of what stores and shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grader.candidate.records import CheckOutcome, CheckResult, Diagnosis, Difference, Mark, Verdict
from grader.curriculum.syllabus import syllabus
from grader.gradebook.entries import Entry, Recorded
from grader.gradebook.store import Gradebook

HOSTILE = (
    "=HYPERLINK(1)",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "＝1",
    " =1",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "two\nlines",
    "carriage\rreturn",
    "\x1b[31mred\x1b[0m\x1b]0;title\x07",
    "\u202egnp.exe",
    "half a character \ud800",
    "..",
    "x" * 300,
    "ann",
    "Ann",
    "é",
    "e\u0301",
    "[bold]markup[/bold]",
    "]]>&amp;",
    "nul\x00nul",
    "\x9b31m and \uffff",
)


def mark(
    name: str = "softmax",
    verdict: Verdict = Verdict.FAILED,
    points: float = 0.0,
    said: str = "said",
    carried: tuple[str, ...] = (),
) -> Mark:
    """A mark in which every text is `said`."""
    exercise = syllabus()[name]
    checks = (
        CheckResult("Rows sum to 1.", CheckOutcome.PASSED),
        CheckResult(
            f"Values: {said}", CheckOutcome.FAILED, said, 2, (Difference("[0, 1]", "1", said),)
        ),
        CheckResult("Gradients flow.", CheckOutcome.ERROR, said),
        CheckResult("Masks hold.", CheckOutcome.BLOCKED, said),
    )
    diagnosis = (Diagnosis("last_dim", f"It sums over {said}.", f"What does {said} do?"),)
    if verdict is Verdict.PASSED:
        checks, diagnosis = checks[:1], ()
    return Mark(
        name,
        exercise.chapter,
        verdict,
        points,
        exercise.points,
        checks,
        diagnosis,
        carried,
        "" if verdict is Verdict.PASSED else said,
    )


def recorded(
    learner: str, marks: Sequence[Mark], problems: Sequence[str] = (), isolated: bool = True
) -> Recorded:
    """A submission as the gradebook takes it; exercises without a mark are missing."""
    given = {each.name: each for each in marks}
    entries = []
    for exercise in syllabus().exercises:
        missing = Mark(
            exercise.name, exercise.chapter, Verdict.MISSING, 0.0, exercise.points, message="none"
        )
        entries.append(Entry("code", "judge", given.get(exercise.name, missing), answer="nothing"))
    return Recorded(learner, "content", "settings", isolated, tuple(problems), tuple(entries))


def gradebook(folder: Path, *submissions: Recorded) -> Path:
    """A folder with a gradebook of these."""
    with Gradebook.create(folder) as book:
        for each in submissions:
            entries = tuple(map(_with_answer, each.entries))
            book.record(replace(each, entries=entries), syllabus().names)
        book.fold()
    return folder


def _with_answer(entry: Entry) -> Entry:
    """The same lines of code are the same answer, wherever they stand."""
    lines = "\n".join(code for *_, code in entry.source).split("\n")
    shown = "\n".join(line.rstrip() for line in lines if line.strip())
    return replace(entry, answer=shown) if entry.source else entry


def hostile_class(folder: Path) -> Path:
    """A gradebook in which every text of a submission is hostile."""
    return gradebook(
        folder,
        *(
            recorded(
                name.encode("utf-8", "backslashreplace").decode().replace("\x00", ""),
                [mark(said=name), mark("attention_scores", Verdict.PASSED, 2.0)],
                [f"{name}: cannot be read"],
            )
            for name in HOSTILE
        ),
    )
