"""Writes marks as JSON, the same bytes for the same marks; knows no file."""

import json
from typing import Any, TextIO

from ...candidate.records import Mark, Note, SubmissionMarks, Verdict
from ...gradebook.store import Gradebook
from ..standing import incomplete
from ..wording import NOT_BEGUN
from . import Options
from .junit import checks_of

SCHEMA = "grader/marks/v1"


def write(book: Gradebook, out: TextIO, _: Options | None = None) -> None:
    """The whole class, one learner in memory at a time.

    ASCII alone, so that nothing in it steers a terminal; learners in the order of code points.
    """
    out.write(f'{{"schema": {json.dumps(SCHEMA)}, ')
    if said := incomplete(book.standing()):
        out.write(f'"incomplete": {json.dumps(said)}, ')
    out.write('"submissions": [')
    for number, submission in enumerate(book.submissions()):
        out.write(",\n" if number else "\n")
        out.write(json.dumps(submission_json(submission)))
    out.write("\n]}\n")


def submission_json(submission: SubmissionMarks) -> dict[str, Any]:
    """One learner."""
    return {
        "learner": submission.learner,
        "points": submission.points,
        "max_points": submission.max_points,
        **({"doubts": [*map(str, submission.doubts)]} if submission.doubts else {}),
        **({"said": [*submission.said]} if submission.said else {}),
        **({"problems": [*submission.problems]} if submission.problems else {}),
        "exercises": [mark_json(mark) for mark in submission.marks],
    }


def mark_json(mark: Mark) -> dict[str, Any]:
    """One exercise of one learner."""
    is_told = mark.message and mark.verdict not in (Verdict.PASSED, *NOT_BEGUN)
    checks = [
        {"title": check.title, "outcome": str(check.outcome), "message": check.message}
        for check in (mark.checks or (checks_of(mark) if is_told else ()))
    ]
    return {
        "name": mark.name,
        "chapter": mark.chapter,
        "verdict": str(mark.verdict),
        "points": mark.points,
        "max_points": mark.max_points,
        "checks": checks,
        "diagnosis": [dict(vars(found)) for found in mark.diagnosis],
        "carried": list(mark.carried),
        "way": "notebook" if mark.is_whole else "exercise",
        **({"by_hand": mark.by_hand} if mark.by_hand else {}),
        **({"notes": [_note(each) for each in mark.notes]} if mark.notes else {}),
        **({"location": dict(vars(mark.location))} if mark.location else {}),
    }


def _note(note: Note) -> dict[str, Any]:
    """What a person wrote, who and when."""
    where = {"cell": note.cell, "line": note.line, "code": note.code} if note.line else {}
    old = {"of_another": True} if note.of_another else {}
    who = {"kind": note.kind, "who": note.who, "time": note.time, "text": note.text}
    return {**who, **where, **old}
