"""A class marked on a real Dask cluster of two worker processes comes out as on one machine."""

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cohort import Result, SubmissionDone, Way, grade_class, setup_for, way_of
from grader.cohort.messages import Task
from grader.curriculum.complaint import Complaint
from grader.gradebook.store import Gradebook
from grader.report.exports.marks_json import write
from grader.submission import Cell
from grader.wall.isolation_layers import available

pytestmark = pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")

SETUP = setup_for(0, {"wall_seconds": 20.0}, False)


@pytest.fixture(scope="module")
def cluster() -> Iterator[object]:
    """A scheduler and two worker processes with a nanny each, which starts them again."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:
        yield cluster


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "class"
    path.mkdir()
    for number in range(6):
        text = f"def sentence_vector(hidden_state):\n    _ = {number}  # no two are copies\n"
        text += f"    return hidden_state.mean({1 + number % 2})\n"
        (path / f"learner_{number}.py").write_text(text)
    (path / "learner_6.py").write_text("def sentence_vector(h):\n    import os\n    os._exit(0)\n")
    return path


def as_json(out: Path) -> str:
    text = io.StringIO()
    with Gradebook.open(out) as book:
        write(book, text)
    return text.getvalue()


def test_marks_are_those_of_one_machine_though_a_worker_is_killed(
    cluster: object, here: Way, folder: Path, tmp_path: Path
) -> None:
    from distributed import Client

    def nothing(step: SubmissionDone) -> None:
        assert not step.failed

    address = cluster.scheduler_address  # type: ignore[attr-defined]
    killed: list[int] = []

    def kill(step: SubmissionDone) -> None:
        nothing(step)
        if step.done == 2:
            with Client(address, set_as_default=False) as client:
                first, *_ = client.run(os.getpid).values()
            os.kill(first, signal.SIGKILL)
            killed.append(first)

    result = grade_class(folder, tmp_path / "out", SETUP, way_of(1, address), kill)
    assert result == Result(7, 7, ())
    assert killed
    again = grade_class(folder, tmp_path / "out", SETUP, way_of(1, address), nothing)
    assert again == Result(7, 0, ())  # nothing travels

    grade_class(folder, tmp_path / "here", SETUP, here, nothing)
    assert as_json(tmp_path / "out") == as_json(tmp_path / "here")


def test_a_worker_with_another_grader_is_refused(cluster: object, folder: Path) -> None:
    from dataclasses import replace

    other = replace(SETUP, judging="another", settings="other")
    way = way_of(1, cluster.scheduler_address)  # type: ignore[attr-defined]
    with pytest.raises(Complaint, match="install the same on every machine"):
        grade_class(folder, folder.parent / "out", other, way, lambda step: None)


def test_a_check_of_the_service_travels_as_cells(cluster: object) -> None:
    from grader.cohort.cluster import ClusterPool

    source = "def sentence_vector(hidden_state):\n    return hidden_state.mean(1)\n"
    task = Task("ada", cells=(Cell(source, "In [1]", "n", 1),), exercises=("sentence_vector",))
    address = cluster.scheduler_address  # type: ignore[attr-defined]
    pool = ClusterPool(address, SETUP)
    (answer,) = pool.run([task])
    assert answer.new is not None
    (entry,) = answer.new.entries
    assert (entry.mark.name, str(entry.mark.verdict)) == ("sentence_vector", "passed")
    pool.close()
