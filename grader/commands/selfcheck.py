"""Marks a learner's own notebook for `grader check`; keeps nothing and shows nothing."""

from dataclasses import replace
from pathlib import Path

from ..candidate.records import SubmissionMarks
from ..curriculum.syllabus import syllabus
from ..marking.examiner import Examiner
from ..submission import load_submission
from ..wall.isolation_layers import available


def check_submission(path: Path, exercise: str | None = None) -> SubmissionMarks:
    """The marks of one submission, or of one exercise of it; of a single file, its chapters'."""
    submission = load_submission(path, syllabus().names)
    names = [exercise] if exercise else list(syllabus().names)
    if not exercise and path.is_file():
        course = syllabus().exercises
        chapters = {each.chapter for each in course if submission.slice(each.name)}
        names = [each.name for each in course if each.chapter in chapters] or names
    with own_examiner() as examiner:
        found = examiner.mark(submission, names)
    # Those that these call are marked as well.
    return replace(found, marks=tuple(mark for mark in found.marks if mark.name in names))


def own_examiner() -> Examiner:
    """An examiner for a learner's own code.

    Its author runs it in a notebook anyway: where there is no isolation it is checked without.
    """
    return Examiner(trust=not available())
