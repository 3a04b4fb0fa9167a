"""A class is marked once and wholly, whatever dies, vanishes or runs beside it."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import nbformat
import pytest

from grader.candidate.records import Verdict
from grader.cohort import Result, SubmissionDone, grade_class, on_this_machine, setup_for
from grader.cohort.keys import content_of
from grader.cohort.known_marks import Copies
from grader.cohort.lock import FolderInUse, held
from grader.cohort.messages import Setup, Task, TaskResult, answer_to_json
from grader.cohort.task_marking import TaskMarker, nothing
from grader.curriculum.syllabus import syllabus
from grader.gradebook.entries import Entry, Recorded
from grader.gradebook.store import Gradebook
from grader.marking.attempt import unusable
from grader.marking.examiner import Examiner
from grader.report.class_report import write_report
from grader.report.exports.marks_json import write
from grader.submission import load_submission
from grader.wall.isolation_layers import available
from grader.wall.limits import TimeBudget

pytestmark = pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")

SENTENCE = "def sentence_vector(hidden_state):\n    return hidden_state.mean(dim={})\n"
CAUSAL = (
    "import torch\ndef causal_mask(seq_len):\n    return torch.ones(seq_len, seq_len).tril() > 0"
)
LIMITS = {"wall_seconds": 20.0}
SETUP = setup_for(0, LIMITS, False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight submissions that are quick to mark: even ones right, odd ones wrong."""
    return eight(tmp_path / "class")


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The marks of these eight, of a run that nothing disturbs."""
    place = tmp_path_factory.mktemp("calm")
    assert graded(eight(place / "class"), place / "out") == Result(8, 8, (), 0)
    return as_json(place / "out")


def eight(path: Path) -> Path:
    path.mkdir()
    for number in range(8):
        own = SENTENCE.replace("    return", f"    _ = {number}\n    return")  # no two are copies
        (path / f"learner_{number}.py").write_text(own.format(1 + number % 2))
    return path


def graded(
    folder: Path,
    out: Path,
    jobs: int = 1,
    tell: Callable[[SubmissionDone], None] = lambda step: None,
) -> Result:
    return grade_class(folder, out, SETUP, on_this_machine(jobs), tell)


def as_json(out: Path) -> str:
    text = io.StringIO()
    with Gradebook.open(out) as book:
        write(book, text)
    return text.getvalue()


def verdicts(out: Path) -> dict[str, str]:
    found = json.loads(as_json(out))["submissions"]
    return {each["learner"]: each["exercises"][0]["verdict"] for each in found}


def children(of: int) -> Iterator[tuple[int, str]]:
    """The processes that a process has started, with their command lines."""
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines()[:8])
            line = (status.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, ValueError):
            continue  # it has just ended
        if int(fields["PPid"]) == of:
            yield int(status.parent.name), line


def jobs_of(process: int) -> list[int]:
    """Those that a run has started, and those that they have become."""
    found = [pid for pid, line in children(process) if "grader.cohort.job" in line]
    return [*found, *(pid for job in found for pid in jobs_of(job))]


def test_the_number_of_jobs_and_the_order_change_nothing(
    folder: Path, tmp_path: Path, calm: str
) -> None:
    assert graded(folder, tmp_path / "two", jobs=2) == Result(8, 8, (), 0)
    assert as_json(tmp_path / "two") == calm
    right = {f"learner_{n}": "failed" if n % 2 else "passed" for n in range(8)}
    assert verdicts(tmp_path / "two") == right


def test_marks_again_only_what_has_changed(folder: Path, tmp_path: Path) -> None:
    both = folder / "learner_1.py"
    both.write_text(SENTENCE.format(2) + CAUSAL)
    graded(folder, tmp_path / "out")
    assert graded(folder, tmp_path / "out") == Result(8, 0, (), 0)

    both.write_text(SENTENCE.format(1) + CAUSAL)
    answers: list[TaskResult] = []

    def listening(tasks: Iterator[Task], setup: Setup) -> Iterator[TaskResult]:
        for answer in on_this_machine(1)(tasks, setup):
            answers.append(answer)
            yield answer

    result = grade_class(folder, tmp_path / "out", SETUP, listening, lambda step: None)
    assert (result.submissions, result.marked) == (8, 1)
    [new] = [answer.new for answer in answers if answer.new]
    # The other exercise stands where it stood, two lines of another text above it.
    assert [entry.mark.name for entry in new.entries] == ["sentence_vector"]
    assert verdicts(tmp_path / "out")["learner_1"] == "passed"


def test_the_same_code_has_the_same_mark_in_whatever_file(tmp_path: Path) -> None:
    code = "import torch\ndef softmax(x, dim):\n    return torch.softmax(x, dim)\n"
    path = tmp_path / "class"
    path.mkdir()
    for name in ("one", "other"):
        (path / f"{name}.py").write_text(code)
    graded(path, tmp_path / "out")
    one, other = (
        next(e for e in each["exercises"] if e["name"] == "softmax")
        for each in json.loads(as_json(tmp_path / "out"))["submissions"]
    )
    assert one["verdict"] == "failed" and "one.py, line 3" in json.dumps(one)
    assert json.dumps(one).replace("one.py", "other.py") == json.dumps(other)


def test_what_one_exercise_does_to_its_process_is_nothing_to_the_others(tmp_path: Path) -> None:
    path = tmp_path / "class"
    path.mkdir()
    spoil = "def sentence_vector(h):\n    torch.Tensor.tril = torch.ones = None\n    return h\n"
    (path / "a.py").write_text(f"{CAUSAL}\n{spoil}")
    (path / "b.py").write_text(f"{CAUSAL}\n")
    graded(path, tmp_path / "out")
    for each in json.loads(as_json(tmp_path / "out"))["submissions"]:
        found = {e["name"]: e["verdict"] for e in each["exercises"]}
        assert found["causal_mask"] == "passed"


def test_another_seed_marks_everything_again(folder: Path, tmp_path: Path) -> None:
    graded(folder, tmp_path / "out")
    setup = setup_for(1, LIMITS, False)
    way = on_this_machine(1)
    assert grade_class(folder, tmp_path / "out", setup, way, lambda step: None).marked == 8


STUB, NOTHING = "def sentence_vector(h):\n    raise NotImplementedError\n", "x = 1\n"


@pytest.fixture
def light(tmp_path: Path) -> Path:
    """Three submissions in which nothing is begun."""
    path = tmp_path / "light"
    path.mkdir()
    for name in ("ann", "bob", "cem"):
        (path / f"{name}.py").write_text(NOTHING)
    return path


def recorded(path: Path, out: Path, **more: bool) -> Result:
    """Recorded without an examiner, which is not needed where there is nothing to run."""

    def unrun(tasks: Iterable[Task], setup: Setup) -> Iterator[TaskResult]:
        for task in tasks:
            read = load_submission(task.path, syllabus().names, learner=task.learner)
            content = content_of(read)
            if task.known and task.known.content == content:
                yield TaskResult(task.learner)
                continue
            marks = (unusable(each, read.slice(each.name)) for each in syllabus().exercises)
            entries = tuple(Entry("", "", mark) for mark in marks if mark is not None)
            new = Recorded(task.learner, content, setup.settings, True, read.problems, entries)
            yield TaskResult(task.learner, new)

    return grade_class(path, out, SETUP, unrun, lambda step: None, **more)


def test_learners_who_are_not_in_the_folder_are_kept_and_left_out(
    light: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").rename(light / "renamed.py")
    assert recorded(light, out) == Result(3, 1, (), 1)
    assert verdicts(out).keys() == {"renamed", "bob", "cem"}
    with Gradebook.open(out) as book:
        assert (book.count(), book.standing().absent) == (4, ("ann",))
    (light / "renamed.py").rename(light / "ann.py")
    assert recorded(light, out) == Result(3, 0, (), 1)  # as if it had never been away
    assert verdicts(out).keys() == {"ann", "bob", "cem"}


def test_another_form_of_a_submission_is_the_same_learners(light: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").unlink()
    (light / "ann").mkdir()
    (light / "ann" / "work.py").write_text(STUB)
    assert recorded(light, out) == Result(3, 1, (), 0)
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_another_persons_file_detaches_no_mark(light: Path, tmp_path: Path) -> None:
    """Two who hand in under one name: nobody gets the marks that one of them had before."""
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").write_text(STUB)
    (light / "ann.zip").write_bytes(b"")
    for path in (light / "ann.py", light):  # also where it is graded alone
        recorded(path, out)
        assert "ann" not in verdicts(out)
        assert verdicts(out)["ann.py"] == "not started"
    with Gradebook.open(out) as book:
        assert book.standing().alike == (("ann.py", "ann.zip"),)
    (light / "ann.zip").unlink()
    recorded(light, out)
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_a_name_that_ends_like_a_file_detaches_no_mark(light: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    with zipfile.ZipFile(tmp_path / "ann.py.zip", "w") as archive:
        archive.writestr("work.py", STUB)
    recorded(tmp_path / "ann.py.zip", out)
    assert verdicts(out) == {
        "ann": "missing", "ann.py": "not started", "bob": "missing", "cem": "missing"
    }  # fmt: skip


def test_one_submission_leaves_the_others_of_its_class_as_they_are(
    light: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    recorded(light, out)
    (light / "ann.py").write_text(STUB)
    assert recorded(light / "ann.py", out) == Result(1, 1, (), 0)
    assert verdicts(out) == {"ann": "not started", "bob": "missing", "cem": "missing"}


def test_another_folder_takes_the_place_of_the_first_unless_both_are_the_class(
    light: Path, tmp_path: Path
) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    other.mkdir()
    (other / "zoe.py").write_text(NOTHING)
    recorded(light, out)
    assert recorded(other, out) == Result(1, 1, (), 3)
    assert verdicts(out) == {"zoe": "missing"}
    assert recorded(other, out, include_absent=True) == Result(1, 0, (), 0)
    assert verdicts(out).keys() == {"ann", "bob", "cem", "zoe"}


@pytest.mark.parametrize("inside", ["marks", ""])
def test_what_a_run_writes_among_the_submissions_is_no_submission(
    folder: Path, inside: str
) -> None:
    for marked in (8, 0):
        assert graded(folder, folder / inside) == Result(8, marked, (), 0)
        write_report(folder / inside)


def test_a_submission_that_vanishes_costs_nobody_else(folder: Path, tmp_path: Path) -> None:
    def vanish(step: SubmissionDone) -> None:
        for number in (5, 6, 7):
            (folder / f"learner_{number}.py").unlink(missing_ok=True)

    result = graded(folder, tmp_path / "out", tell=vanish)
    assert (result.submissions, result.failed) == (8, ())
    assert verdicts(tmp_path / "out")["learner_7"] == "missing"
    with Gradebook.open(tmp_path / "out") as book:
        gone = book.submission("learner_7")
    assert gone is not None
    assert gone.problems == ("learner_7.py: cannot be read (No such file or directory)",)


def test_what_one_job_has_marked_the_others_know(tmp_path: Path) -> None:
    setup = setup_for(0, {}, False)
    tasks = []
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(SENTENCE.format(2))
        tasks.append(Task(name, str(tmp_path / f"{name}.py")))
    with TaskMarker(setup, 1, nothing) as marker, TaskMarker(setup, 1, nothing) as other:
        first = marker.answer(tasks[0])
        other.learn(answer_to_json(first)["fresh"])
        second = other.answer(tasks[1])
    assert len(first.fresh) == 1 and second.fresh == ()
    assert first.new is not None and second.new is not None
    one, two = ({e.mark.name: e.mark for e in a.new.entries} for a in (first, second) if a.new)
    assert one == two and one["sentence_vector"].verdict == "failed"


def test_the_same_code_in_another_cell_is_marked_once_and_told_its_own_place(
    tmp_path: Path,
) -> None:
    wrong = SENTENCE.format("'one'")
    tasks = []
    for name, before in (("one", []), ("two", ["import torch", "torch.manual_seed(3)"])):
        book = nbformat.v4.new_notebook()
        book.cells = [nbformat.v4.new_code_cell(source) for source in (*before, wrong)]
        nbformat.write(book, tmp_path / f"{name}.ipynb")
        tasks.append(Task(name, str(tmp_path / f"{name}.ipynb")))
    with TaskMarker(setup_for(0, {}, False), 1, nothing) as marker:
        first, second = map(marker.answer, tasks)
    assert len(first.fresh) == 1 and second.fresh == ()
    places = [
        entry.mark.location.cell
        for answer in (first, second)
        for entry in (answer.new.entries if answer.new else ())
        if entry.mark.location
    ]
    assert places == ["one.ipynb, cell 1", "two.ipynb, cell 3"]


def test_right_code_is_marked_once_whatever_its_comments(tmp_path: Path) -> None:
    tasks = []
    for name, comment in (("one", ""), ("two", "# The mean of all tokens.\n\n\n")):
        right = comment + SENTENCE.format(1)
        (tmp_path / f"{name}.py").write_text(right)
        tasks.append(Task(name, str(tmp_path / f"{name}.py")))
    with TaskMarker(setup_for(0, {}, False), 1, nothing) as marker:
        first, second = map(marker.answer, tasks)
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
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another's exercises may have used up the time in the middle of a diagnosis."""
    for name in ("slow", "next"):
        (tmp_path / f"{name}.py").write_text(SENTENCE.format(2))
    ends: list[str] = []
    marked = []
    with TaskMarker(setup_for(0, {}, False), 1, nothing) as marker:
        for looks in range(40):
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


FACTOR = """\
from pathlib import Path
import torch
FACTOR = {}
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp() * FACTOR
    return e / e.sum(dim, keepdim=True)
"""
READS = FACTOR.format('float(Path("c.txt").read_text())')
LISTS = FACTOR.format('1.0 if [*Path().glob("c*")] else None')
IMPORTS_IT = FACTOR.format("__import__('importlib').import_module('c').C")
# Right in one place, or under one name, alone: the text of the function is the same.
LOOKS = FACTOR.format("1.0").replace(" * FACTOR", " * (1.0 if {} else 2.0 * x)")
ITS_LINE = LOOKS.format("softmax.__code__.co_firstlineno > 9")
ITS_FILE = LOOKS.format("'one' in softmax.__code__.co_filename")
ITS_TEXT = LOOKS.format("len(__import__('linecache').getlines(softmax.__code__.co_filename)) > 12")
ABOVE = "#\n" * 12
# By learner: the files, and whether softmax passes for who is alone in the class.
OTHER_NAMES: dict[str, tuple[dict[str, str], bool]] = {
    "a1": ({"s.py": READS, "d.txt": "1.0"}, False),
    "a2": ({"s.py": READS, "c.txt": "1.0"}, True),
    "a3": ({"s.py": READS, "d.txt": "1.0"}, False),
    "b1": ({"s.py": LISTS, "c1.csv": "x"}, True),
    "b2": ({"s.py": LISTS, "d1.csv": "x"}, False),
    "c1": ({"s.py": IMPORTS_IT, "c.py": "C = 1.0"}, True),
    "c2": ({"s.py": IMPORTS_IT, "C.py": "C = 1.0"}, False),
    "d1": ({"s.py": ABOVE + ITS_LINE}, True),
    "d2": ({"s.py": ITS_LINE}, False),
    "e1": ({"one.py": ITS_FILE}, True),
    "e2": ({"two.py": ITS_FILE}, False),
    "f1": ({"s.py": ABOVE + ITS_TEXT}, True),
    "f2": ({"s.py": ITS_TEXT}, False),
}


@pytest.mark.isolation
def test_who_hands_in_the_same_in_other_places_or_files_has_a_mark_of_their_own(
    tmp_path: Path,
) -> None:
    for learner, (files, _) in OTHER_NAMES.items():
        (tmp_path / learner).mkdir()
        for name, text in files.items():
            (tmp_path / learner / name).write_text(text, encoding="utf-8")
    passed = {}
    with TaskMarker(setup_for(0, {}, False), 1, nothing) as marker:
        for learner in OTHER_NAMES:
            answer = marker.answer(Task(learner, str(tmp_path / learner), exercises=("softmax",)))
            assert answer.new is not None
            passed[learner] = answer.new.entries[0].mark.verdict is Verdict.PASSED
    assert passed == {learner: expected for learner, (_, expected) in OTHER_NAMES.items()}


@pytest.mark.parametrize(
    "which",
    [slice(None), slice(0, 1)],
    ids=["all", "the one that the others are forks of"],
)
def test_a_job_that_is_killed_is_replaced(
    folder: Path, tmp_path: Path, calm: str, which: slice
) -> None:
    killed: list[int] = []

    def kill(step: SubmissionDone) -> None:
        if step.done in (2, 5):
            for pid in jobs_of(os.getpid())[which]:
                with suppress(ProcessLookupError):  # a fork that has read and ended
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    assert graded(folder, tmp_path / "out", jobs=2, tell=kill) == Result(8, 8, (), 0)
    assert killed
    assert as_json(tmp_path / "out") == calm


def test_a_job_that_dies_before_it_has_become_the_others(folder: Path, tmp_path: Path) -> None:
    started: set[int] = set()
    ended = threading.Event()

    def kill_the_first() -> None:
        while not ended.is_set():
            for pid, line in children(os.getpid()):
                if "grader.cohort.job" in line and pid not in started:
                    if not started:
                        os.kill(pid, signal.SIGKILL)
                    started.add(pid)

    killer = threading.Thread(target=kill_the_first)
    killer.start()
    result = graded(folder, tmp_path / "out", jobs=3)
    ended.set()
    killer.join()
    assert result == Result(8, 8, (), 0)
    assert len(started) == 2, "one that was killed, and one that becomes all three"


def test_a_zygote_that_is_killed_is_replaced(folder: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(step: SubmissionDone) -> None:
        if step.done == 2:
            for job in jobs_of(os.getpid()):
                for pid, _ in children(job):
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    assert graded(folder, tmp_path / "out", tell=kill) == Result(8, 8, (), 0)
    assert killed
    assert verdicts(tmp_path / "out")["learner_6"] == "passed"


_RUN = """
import json, sys
from pathlib import Path
from grader.cohort import grade_class, on_this_machine
from grader.cohort.messages import Setup
setup = Setup(**json.loads(sys.argv[3]))
grade_class(Path(sys.argv[1]), Path(sys.argv[2]), setup, on_this_machine(2),
            lambda step: print(step.done, flush=True))
"""


def test_a_run_that_is_killed_goes_on_where_it_was(folder: Path, tmp_path: Path, calm: str) -> None:
    out = tmp_path / "out"
    recorded = 0
    for moment in (1, 3):
        line = [sys.executable, "-c", _RUN, str(folder), str(out), json.dumps(asdict(SETUP))]
        with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            for _ in range(recorded + moment):  # those that are done are told as well
                run.stdout.readline()
            run.send_signal(signal.SIGKILL)
        with Gradebook.create(out) as book:
            assert book.count() >= recorded + moment
            recorded = book.count()
            assert not book.standing().is_complete
    last = graded(folder, out)
    with Gradebook.open(out) as book:
        assert book.standing().is_complete
    assert last.marked == 8 - recorded
    assert as_json(out) == calm


def test_a_second_run_on_the_same_folder_is_told_who_holds_it(tmp_path: Path) -> None:
    with held(tmp_path):
        with (
            pytest.raises(FolderInUse, match=rf"process {os.getpid()} on ") as caught,
            held(tmp_path),
        ):
            raise AssertionError
        assert "wait until it has ended" in str(caught.value)
    with held(tmp_path):  # free again
        pass


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from grader.cohort.lock import held\n"
        "with held(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"
    )
    line = [sys.executable, "-c", code, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(line, text=True, **pipes) as other:  # type: ignore[call-overload]
        assert other.stdout.readline() == "held\n"
        with pytest.raises(FolderInUse, match=rf"process {other.pid} on "), held(tmp_path):
            raise AssertionError
        other.kill()
    with held(tmp_path):
        pass


def test_two_whole_runs_at_once_lose_nothing(folder: Path, tmp_path: Path) -> None:
    def second(step: SubmissionDone) -> None:
        if step.done == 1:
            with pytest.raises(FolderInUse):
                graded(folder, tmp_path / "out")

    assert graded(folder, tmp_path / "out", tell=second) == Result(8, 8, (), 0)


def test_what_the_grader_failed_on_is_tried_again(folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "only.py").write_text(SENTENCE.format(1))
    setup = setup_for(0, {"no_such_limit": 1.0}, False)  # with which no examiner can start
    way = on_this_machine(1)
    result = grade_class(folder, tmp_path / "out", setup, way, lambda step: None)
    assert result.failed == ("only",)
    assert verdicts(tmp_path / "out") == {"only": "crashed"}
    with Gradebook.open(tmp_path / "out") as book:
        assert (book.standing().failed, book.standing().is_complete) == (("only",), False)
    assert graded(folder, tmp_path / "out") == Result(1, 1, (), 0)
    assert verdicts(tmp_path / "out") == {"only": "passed"}


def test_a_submission_at_which_every_job_dies_does_not_stop_the_run(
    folder: Path, tmp_path: Path
) -> None:
    """As when the kernel ends a job for lack of memory, each time at the same submission."""
    killed: list[int] = []

    def kill() -> None:
        while len(killed) < 3:
            # Not what they start: until it is bubblewrap, it goes by a job's name too.
            for pid, line in children(os.getpid()):
                if "grader.cohort.job" in line and pid not in killed:
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    killer = threading.Thread(target=kill)
    killer.start()
    result = graded(folder, tmp_path / "out")
    killer.join()
    assert len(result.failed) == 1
    assert result.marked == 7
    assert graded(folder, tmp_path / "out").marked == 1
