"""A class is marked once and wholly, whatever dies."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

import pytest

from grader.cohort import Result, SubmissionDone, grade_class, setup_for, way_of
from grader.cohort.task_marking import TaskMarker
from grader.gradebook.store import Gradebook
from grader.wall.isolation_layers import available
from grader.wall.zygote_client import Zygote
from tests.cohorts import (
    SENTENCE,
    SETUP,
    answering,
    as_json,
    eight,
    graded,
    verdicts,
    warm_marker,
)

pytestmark = pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return eight(tmp_path / "class")


@pytest.fixture(scope="module")
def marker(zygote: Zygote) -> Iterator[TaskMarker]:
    """What a job does, in this process."""
    with warm_marker(zygote, SETUP) as made:
        yield made


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory, marker: TaskMarker) -> str:
    """The marks of these eight, of a run without jobs that nothing disturbs."""
    place = tmp_path_factory.mktemp("calm")
    way = answering(marker)
    assert graded(eight(place / "class"), place / "out", way) == Result(8, 8, ())
    right = {f"learner_{n}": "failed" if n % 2 else "passed" for n in range(8)}
    assert verdicts(place / "out") == right
    return as_json(place / "out")


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


def below(process: int) -> Iterator[tuple[int, str]]:
    """All that a process has started, and what that has."""
    for pid, line in children(process):
        yield pid, line
        yield from below(pid)


def test_jobs_that_are_killed_are_replaced(folder: Path, tmp_path: Path, calm: str) -> None:
    """First all of them, then the one that the others are forks of; the marks are those of none."""
    killed: list[int] = []

    def kill(step: SubmissionDone) -> None:
        if step.done in (2, 5):
            for pid in jobs_of(os.getpid())[: None if step.done == 2 else 1]:
                with suppress(ProcessLookupError):  # a fork that has read and ended
                    os.kill(pid, signal.SIGKILL)
                    killed.append(pid)

    way = way_of(2)
    assert graded(folder, tmp_path / "out", way, tell=kill) == Result(8, 8, ())
    assert len(killed) > 2
    assert as_json(tmp_path / "out") == calm


def test_a_job_that_dies_before_it_has_become_the_others(folder: Path, tmp_path: Path) -> None:
    started: set[int] = set()
    ended = threading.Event()

    def kill_the_first() -> None:
        while not ended.wait(0.01):
            for pid, line in children(os.getpid()):
                if "grader.cohort.job" in line and pid not in started:
                    if not started:
                        os.kill(pid, signal.SIGKILL)
                    started.add(pid)

    killer = threading.Thread(target=kill_the_first)
    killer.start()
    result = graded(folder, tmp_path / "out", way_of(3))
    ended.set()
    killer.join()
    assert result == Result(8, 8, ())
    assert len(started) == 2, "one that was killed, and one that becomes all three"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="nothing tells when a process has ended")
def test_jobs_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    """Amid what they mark: nothing of theirs goes on beside a run that is started anew."""
    (tmp_path / "class").mkdir()
    code = "import time\ndef softmax(x, dim):\n    time.sleep(60)\n"
    (tmp_path / "class" / "ada.py").write_text(code, encoding="utf-8")
    line = [sys.executable, "-m", "grader", "grade", str(tmp_path / "class"), "--jobs", "1"]
    with subprocess.Popen([*line, "--out", str(tmp_path / "out")]) as run:
        own = os.pidfd_open(run.pid)
        while sum("sys.path" in line for _, line in below(run.pid)) < 2:  # a zygote and its worker
            assert not select.select([own], [], [], 0.1)[0], "it has ended"
        ends = [own, *(os.pidfd_open(pid) for pid in jobs_of(run.pid))]
        run.kill()
    for end in ends:
        assert select.select([end], [], [], 10)[0], "it goes on"
        os.close(end)


def test_a_zygote_that_is_killed_is_replaced(folder: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(step: SubmissionDone) -> None:
        if step.done == 2:
            of_jobs = [each for job in jobs_of(os.getpid()) for each in children(job)]
            # A fork that reads a hand-in has its job's name. It is read anew once, and not twice.
            killed.extend(pid for pid, line in of_jobs if "grader.cohort.job" not in line)
            for pid in killed:
                os.kill(pid, signal.SIGKILL)

    assert graded(folder, tmp_path / "out", way_of(1), tell=kill) == Result(8, 8, ())
    assert killed
    assert verdicts(tmp_path / "out")["learner_6"] == "passed"


_RUN = """
import json, sys
from pathlib import Path
from grader.cohort import grade_class, way_of
from grader.cohort.messages import Setup
setup = Setup(**json.loads(sys.argv[3]))
grade_class(Path(sys.argv[1]), Path(sys.argv[2]), setup, way_of(2),
            lambda step: print(step.done, flush=True))
"""


def test_a_run_that_is_killed_goes_on_where_it_was(
    folder: Path, tmp_path: Path, calm: str, marker: TaskMarker
) -> None:
    out = tmp_path / "out"
    line = [sys.executable, "-c", _RUN, str(folder), str(out), json.dumps(asdict(SETUP))]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for _ in range(3):
            run.stdout.readline()
        run.send_signal(signal.SIGKILL)
    with Gradebook.create(out) as book:
        recorded = book.count()
        assert recorded >= 3 and not book.standing().is_complete
    last = graded(folder, out, answering(marker))
    with Gradebook.open(out) as book:
        assert book.standing().is_complete
    assert last.marked == 8 - recorded
    assert as_json(out) == calm


def test_what_the_grader_failed_on_is_tried_again(tmp_path: Path, marker: TaskMarker) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "only.py").write_text(SENTENCE.format(1))
    setup = setup_for(0, {"no_such_limit": 1.0}, False)  # with which no examiner can start
    way = way_of(1)
    result = grade_class(folder, tmp_path / "out", setup, way, lambda step: None)
    assert result.failed == ("only",)
    assert verdicts(tmp_path / "out") == {"only": "crashed"}
    with Gradebook.open(tmp_path / "out") as book:
        assert (book.standing().failed, book.standing().is_complete) == (("only",), False)
    assert graded(folder, tmp_path / "out", answering(marker)) == Result(1, 1, ())
    assert verdicts(tmp_path / "out") == {"only": "passed"}


def test_a_submission_at_which_every_job_dies_does_not_stop_the_run(
    folder: Path, tmp_path: Path, marker: TaskMarker
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
    result = graded(folder, tmp_path / "out", way_of(1))
    killer.join()
    assert len(result.failed) == 1
    assert result.marked == 7
    assert graded(folder, tmp_path / "out", answering(marker)).marked == 1


@pytest.mark.parametrize(
    ("trust", "draws_by_code", "waits"),
    [(False, False, True), (True, False, False), (False, True, False)],
)
def test_only_a_class_of_strangers_waits_for_wrong_judges(
    trust: bool, draws_by_code: bool, waits: bool
) -> None:
    """Who asks a checker, or marks their own, gets marks at once."""
    assert setup_for(0, {}, trust, draws_by_code).waits_at_random is waits
