"""One submission has so many seconds, in its workers and in the examiner that looks into it."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.candidate.candidate import Candidate
from grader.candidate.records import Verdict
from grader.curriculum.syllabus import syllabus
from grader.diagnosis.diagnose import diagnose
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.isolation_layers import available
from grader.wall.limits import Limits, SubmissionBudget, TimeBudget
from grader.wall.zygote_client import Zygote
from tests.candidates import Here
from tests.corpus import case

CODE = {  # wrong in ways that no known mistake explains
    "softmax": "def softmax(x, dim):\n    e = x.exp()\n    return x + e / e.sum(dim, True)",
    "MultiHeadAttention": case("MultiHeadAttention/wrong/causal_when_no_mask").source,
}
RIGHT = "def sentence_vector(hidden_state):\n    return hidden_state.mean(dim=1)\n"


def test_work_on_a_submission_counts_and_waiting_counts_once() -> None:
    budget = SubmissionBudget(60.0)
    budget.spend(waited=20.0, worked=5.0)  # the five are this process's own, and counted as such
    assert 44.0 < budget.left <= 45.0
    short = SubmissionBudget(0.05)
    while short.left:  # no worker is waited for, and it comes to an end
        pass
    of_worker = TimeBudget(10.0)
    of_worker.spend(waited=4.0, worked=1.0)
    assert of_worker.left == 6.0


class _Stop(Exception):
    pass


@pytest.mark.parametrize("exercise", CODE)
@pytest.mark.parametrize("asks", [0, 3, 6])
def test_a_search_ends_when_time_is_up_wherever_it_is(exercise: str, asks: int) -> None:
    left = iter(range(asks))

    def stay_in_time() -> None:
        if next(left, None) is None:
            raise _Stop

    candidate = Candidate(exercise, Here(), stay_in_time=stay_in_time)
    units = [{"code": CODE[exercise], "label": "cell 1", "line": 1}]
    candidate.request("load", exercise=exercise, units=units, harness="")
    with pytest.raises(_Stop):
        diagnose(exercise, candidate, 0)


@pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")
def test_what_is_left_of_a_submission_says_so_and_others_are_not_harmed(
    zygote: Zygote, tmp_path: Path
) -> None:
    path = tmp_path / "long.py"
    path.write_text(f"{CODE['softmax']}\n{RIGHT}")
    names = ["softmax", "sentence_vector"]
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as examiner:
        budget = examiner.budget()
        examiner.budget = lambda: budget  # type: ignore[method-assign]
        submission = load_submission(path, syllabus().names)
        calm = examiner.mark(submission, names).marks
        budget.seconds = 0.0  # as if the work on the exercises before had taken it all
        late = examiner.mark(submission, names).marks
        del examiner.budget
        again = examiner.mark(submission, names).marks
        read_too_long = examiner.mark(submission, names, spent=300.0).marks
    assert [mark.verdict for mark in calm] == [Verdict.FAILED, Verdict.PASSED]
    assert all(mark.verdict is Verdict.TIMEOUT for mark in late)
    assert all("was not run" in mark.message for mark in late)
    assert again == calm and all(mark.verdict is Verdict.TIMEOUT for mark in read_too_long)
