"""What one job does with a class: each is marked once and by itself, and only where it changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
import pytest

from grader.cohort import Result, SubmissionDone, Way, setup_for
from grader.cohort.known_marks import Copies
from grader.cohort.messages import Task, TaskResult, answer_to_json
from grader.cohort.task_marking import TaskMarker
from grader.curriculum.complaint import Complaint
from grader.gradebook.entries import KnownSubmission
from grader.gradebook.store import Gradebook
from grader.marking.examiner import Examiner
from grader.report.class_report import write_report
from grader.wall.isolation_layers import available
from grader.wall.limits import TimeBudget
from grader.wall.zygote_client import Zygote
from tests.cohorts import (
    LIMITS,
    SENTENCE,
    SETUP,
    Answering,
    answering,
    as_json,
    eight,
    graded,
    verdicts,
    warm_marker,
)

pytestmark = pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")

CAUSAL = (
    "import torch\ndef causal_mask(seq_len):\n    return torch.ones(seq_len, seq_len).tril() > 0"
)


@pytest.fixture(scope="module")
def marker(zygote: Zygote) -> Iterator[TaskMarker]:
    with warm_marker(zygote, SETUP) as made:
        yield made


@pytest.fixture
def way(marker: TaskMarker) -> Way:
    """As a job answers, in this process; it knows no mark of an earlier test."""
    marker._copies = Copies()
    return answering(marker)


def known(out: Path) -> KnownSubmission | None:
    with Gradebook.open(out) as book:
        return book.known("learner_1")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return eight(tmp_path / "class")


def test_marks_again_only_what_has_changed_and_all_with_another_seed(
    folder: Path, tmp_path: Path, way: Way, zygote: Zygote
) -> None:
    both = folder / "learner_1.py"
    both.write_text(SENTENCE.format(2) + CAUSAL)
    graded(folder, tmp_path / "out", way)
    assert graded(folder, tmp_path / "out", way) == Result(8, 0, ())

    both.write_text(SENTENCE.format(1) + CAUSAL)
    answers: list[TaskResult] = []

    def listening(tasks: Iterable[Task]) -> Iterator[TaskResult]:
        for answer in way(SETUP).run(tasks):
            answers.append(answer)
            yield answer

    result = graded(folder, tmp_path / "out", lambda setup: Answering(listening))
    assert (result.submissions, result.marked) == (8, 1)
    [new] = [answer.new for answer in answers if answer.new]
    # The other exercise stands where it stood, two lines of another text above it.
    assert [entry.mark.name for entry in new.entries] == ["sentence_vector"]
    assert verdicts(tmp_path / "out")["learner_1"] == "passed"

    setup = setup_for(1, {"wall_seconds": 20.0}, False)
    with warm_marker(zygote, setup) as other:
        again = map(other.answer, [Task("learner_1", str(both), known=known(tmp_path / "out"))])
        (new,) = [answer.new for answer in again if answer.new]
    written = {entry.mark.name for entry in new.entries if entry.source}
    assert written == {"causal_mask", "sentence_vector"}


def test_the_same_code_has_the_same_mark_in_whatever_file(tmp_path: Path, way: Way) -> None:
    code = "import torch\ndef softmax(x, dim):\n    return torch.softmax(x, dim)\n"
    path = tmp_path / "class"
    path.mkdir()
    for name in ("one", "other"):
        (path / f"{name}.py").write_text(code)
    graded(path, tmp_path / "out", way)
    one, other = (
        next(e for e in each["exercises"] if e["name"] == "softmax")
        for each in json.loads(as_json(tmp_path / "out"))["submissions"]
    )
    assert one["verdict"] == "failed" and "one.py, line 3" in json.dumps(one)
    assert json.dumps(one).replace("one.py", "other.py") == json.dumps(other)


def test_what_one_exercise_does_to_its_process_is_nothing_to_the_others(
    tmp_path: Path, way: Way
) -> None:
    path = tmp_path / "class"
    path.mkdir()
    spoil = "def sentence_vector(h):\n    torch.Tensor.tril = torch.ones = None\n    return h\n"
    (path / "a.py").write_text(f"{CAUSAL}\n{spoil}")
    (path / "b.py").write_text(f"{CAUSAL}\n")
    graded(path, tmp_path / "out", way)
    for each in json.loads(as_json(tmp_path / "out"))["submissions"]:
        found = {e["name"]: e["verdict"] for e in each["exercises"]}
        assert found["causal_mask"] == "passed"


@pytest.mark.parametrize("inside", ["marks", ""])
def test_what_a_run_writes_among_the_submissions_is_no_submission(
    folder: Path, way: Way, inside: str
) -> None:
    for marked in (8, 0):
        assert graded(folder, folder / inside, way) == Result(8, marked, ())
        write_report(folder / inside)


def test_a_submission_that_vanishes_costs_nobody_else(
    folder: Path, tmp_path: Path, way: Way
) -> None:
    def vanish(step: SubmissionDone) -> None:
        for number in (5, 6, 7):
            (folder / f"learner_{number}.py").unlink(missing_ok=True)

    result = graded(folder, tmp_path / "out", way, tell=vanish)
    assert (result.submissions, result.failed) == (8, ())
    assert verdicts(tmp_path / "out")["learner_7"] == "missing"
    with Gradebook.open(tmp_path / "out") as book:
        gone = book.submission("learner_7")
    assert gone is not None
    assert gone.problems == ("learner_7.py: cannot be read (No such file or directory)",)


def test_two_whole_runs_at_once_lose_nothing(folder: Path, tmp_path: Path, way: Way) -> None:
    def second(step: SubmissionDone) -> None:
        if step.done == 1:
            with pytest.raises(Complaint, match="another run is grading"):
                graded(folder, tmp_path / "out", way)

    assert graded(folder, tmp_path / "out", way, tell=second) == Result(8, 8, ())


@pytest.mark.usefixtures("way")
def test_what_one_job_has_marked_the_others_know(
    tmp_path: Path, marker: TaskMarker, zygote: Zygote
) -> None:
    tasks = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(SENTENCE.format(2))
        tasks.append(Task(name, str(tmp_path / f"{name}.py")))
    first = marker.answer(tasks[0])
    with warm_marker(zygote, SETUP) as other:
        other.learn(answer_to_json(first)["fresh"])
        second = other.answer(tasks[1])
    assert len(first.fresh) == 1 and second.fresh == ()
    assert first.new is not None and second.new is not None
    one, two = ({e.mark.name: e.mark for e in a.new.entries} for a in (first, second) if a.new)
    assert one == two and one["sentence_vector"].verdict == "failed"


def test_who_asks_the_checker_does_not_learn_what_others_have_asked(
    tmp_path: Path, zygote: Zygote
) -> None:
    """What is known already is told sooner."""
    (tmp_path / "work.py").write_text(SENTENCE.format(2))
    asked = [Task(name, str(tmp_path / "work.py")) for name in ("ann", "bob", "ann")]
    with warm_marker(zygote, setup_for(0, LIMITS, False, draws_by_code=True)) as marker:
        assert [len(marker.answer(each).fresh) for each in asked] == [1, 1, 0]


def test_the_same_code_in_another_cell_is_marked_once_and_told_its_own_place(
    tmp_path: Path, way: Way
) -> None:
    wrong = SENTENCE.format("'one'")
    tasks = []
    for name, before in (("one", []), ("two", ["import torch", "torch.manual_seed(3)"])):
        book = nbformat.v4.new_notebook()
        book.cells = [nbformat.v4.new_code_cell(source) for source in (*before, wrong)]
        nbformat.write(book, tmp_path / f"{name}.ipynb")
        tasks.append(Task(name, str(tmp_path / f"{name}.ipynb")))
    first, second = way(SETUP).run(tasks)
    assert len(first.fresh) == 1 and second.fresh == ()
    places = [
        entry.mark.location.cell
        for answer in (first, second)
        for entry in (answer.new.entries if answer.new else ())
        if entry.mark.location
    ]
    assert places == ["one.ipynb, cell 1", "two.ipynb, cell 3"]


def test_right_code_is_marked_once_whatever_its_comments(tmp_path: Path, way: Way) -> None:
    tasks = []
    for name, comment in (("one", ""), ("two", "# The mean of all tokens.\n\n\n")):
        right = comment + SENTENCE.format(1)
        (tmp_path / f"{name}.py").write_text(right)
        tasks.append(Task(name, str(tmp_path / f"{name}.py")))
    first, second = way(SETUP).run(tasks)
    one, two = ({e.mark.name: e.mark for e in a.new.entries} for a in (first, second) if a.new)
    assert one == two and one["sentence_vector"].verdict == "passed"
    assert len(first.fresh) == 1 and second.fresh == ()


class _Looks(TimeBudget):
    """A budget that is spent after so many looks at it, whatever time that takes."""

    def __init__(self, looks: int) -> None:
        super().__init__(1e6)
        self._looks = looks

    @property
    def left(self) -> float:
        self._looks -= 1
        return 1e6 if self._looks > 0 else 0.0


def test_what_slower_code_left_no_time_for_is_not_told_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marker: TaskMarker
) -> None:
    """Another's exercises may have used up the time in the middle of a diagnosis."""
    for name in ("slow", "next"):
        (tmp_path / f"{name}.py").write_text(SENTENCE.format(2))
    ends: list[str] = []
    marked = []
    for looks in range(0, 40, 2):
        marker._copies = Copies()
        if looks:
            with monkeypatch.context() as patch:
                patch.setattr(Examiner, "budget", lambda _, looks=looks: _Looks(looks))
                slow = marker.answer(Task("slow", str(tmp_path / "slow.py")))
            assert slow.new is not None
            (entry,) = [e for e in slow.new.entries if e.mark.name == "sentence_vector"]
            ends.append(f"{entry.mark.verdict}{', kept' if entry.code else ''}")
            assert bool(slow.fresh) is bool(entry.code)
        answer = marker.answer(Task("next", str(tmp_path / "next.py")))
        assert answer.new is not None
        marked.append([entry.mark for entry in answer.new.entries])
    assert all(each == marked[0] for each in marked)
    assert set(ends) == {"timeout", "failed", "failed, kept"}
