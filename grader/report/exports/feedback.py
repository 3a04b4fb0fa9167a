"""Says in a few lines of plain text what a learner should read; knows no format."""

from ...candidate.records import CheckOutcome, Mark, SubmissionMarks, Verdict
from .. import wording
from ..standing import doubts
from ..story import story
from ..text import in_sentences, one_line, points, visible


def begun_and_idle(submission: SubmissionMarks) -> tuple[list[Mark], list[Mark]]:
    """The marks of exercises of which there is something to tell, and the others."""
    idle = [mark for mark in submission.marks if wording.is_idle(mark)]
    return [mark for mark in submission.marks if not wording.is_idle(mark)], idle


def in_short(submission: SubmissionMarks) -> str:
    """One line for each exercise that was begun, below what casts doubt on them."""
    return "\n".join([*above_all(submission), *map(_line, begun_and_idle(submission)[0])])


def above_all(submission: SubmissionMarks) -> list[str]:
    """What casts doubt on the marks, what is said of the work as a whole, what was not read."""
    problems = (f"Not read: {one_line(problem)}" for problem in submission.problems)
    return [*doubts(submission), *map(visible, submission.said), *problems]


def in_full(mark: Mark) -> str:
    """Everything about one exercise."""
    told = story(mark)
    lines = [f"{label} {sentence}".strip() for label, sentence in told.said]
    for check in (*told.leading, *told.failed, *told.waiting, *told.passed):
        lines.append(f"{check.outcome}: {check.title}")
        if check.outcome is not CheckOutcome.PASSED and check.message:
            lines.append(f"  {check.message}")
    return visible("\n".join(line for line in lines if line))


def _line(mark: Mark) -> str:
    notes = (" ".join(wording.note(each)) for each in mark.notes)
    return one_line(in_sentences(_found(mark), *notes), 4_000)


def _found(mark: Mark) -> str:
    won = f"{mark.name}: {mark.verdict}, {points(mark.points)} of {points(mark.max_points)}"
    if mark.by_hand:
        return f"{won}. {one_line(mark.by_hand)}"
    if mark.carried:
        return f"{won}. {wording.carried(mark)}"
    if mark.verdict is Verdict.PASSED:
        return won
    said = [found.explanation for found in mark.diagnosis] or [mark.message]
    if not said[0]:
        said = [check.message for check in mark.checks if check.message][:1]
    return f"{won}. {one_line(' '.join(said))}" if said and said[0] else won
