"""Reading a hand-in is bounded by processor time, and costs nobody else a mark."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort import setup_for
from grader.cohort.messages import Task
from grader.handed_in.written_out import read_markdown
from grader.submission import bounded
from grader.submission.bounded import Reader, why_unreadable
from grader.wall.zygote_client import Zygote
from tests.cohorts import warm_marker

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows reads one's own work only")
RIGHT = (
    "def softmax(x, dim):\n    x = (x - x.amax(dim, True)).exp()\n    return x / x.sum(dim, True)\n"
)
# Python brings names into one Unicode form, and sorts the marks of one letter in quadratic time.
HOSTILE = RIGHT + "a" + "\u0301" * 40_000 + "\u0327" * 40_000 + " = 1\n"


def test_a_hand_in_that_cannot_be_read_in_time_says_so_and_others_are_marked(
    zygote: Zygote, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded, "SECONDS", 1.0)
    (tmp_path / "mallory.py").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "zoe.py").write_text(RIGHT, encoding="utf-8")
    points, problems, contents = {}, {}, []
    with warm_marker(zygote, setup_for(0, {}, False)) as marker:
        for learner in ("mallory", "zoe", "mallory"):
            path = str(tmp_path / f"{learner}.py")
            answer = marker.answer(Task(learner, path, exercises=("softmax",)))
            assert answer.new is not None and not answer.failed
            points[learner] = sum(entry.mark.points for entry in answer.new.entries)
            problems[learner] = answer.new.problems
            contents.append(answer.new.content)
    assert points == {"mallory": 0.0, "zoe": 2.0}
    assert problems["zoe"] == () and contents[0] == contents[2] != contents[1]
    (said,) = problems["mallory"]
    assert "seconds of processor time to read" in said and "hand in the notebooks alone" in said
    printed = CliRunner().invoke(app, ["similar", str(tmp_path)]).output
    assert "mallory: this hand-in takes more than" in printed


def test_what_ends_its_process_is_told_from_a_process_that_was_ended(tmp_path: Path) -> None:
    assert why_unreadable(lambda: None) == ""
    assert why_unreadable(lambda: 1 / 0) == "", "which it raises where it is read"
    crash = why_unreadable(lambda: os.kill(os.getpid(), signal.SIGSEGV))
    assert "ends the process that reads it" in crash
    with pytest.raises(ChildProcessError, match="signal 9"):
        why_unreadable(lambda: os.kill(os.getpid(), signal.SIGKILL))
    once = tmp_path / "once"

    def killed_once() -> None:
        if not once.exists():
            once.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    assert why_unreadable(killed_once) == "" and once.exists()


@pytest.mark.parametrize("text", ["---" + "\n" * 4990, "---\n" + " \n" * 2490, "---" + "\r" * 4990])
def test_a_class_of_headers_without_end_is_read(text: str) -> None:
    assert why_unreadable(lambda: [read_markdown("a.md", text.encode()) for _ in range(200)]) == ""
    assert read_markdown("a.md", text.encode()).cells == ()
    assert read_markdown("a.md", f"{text}\n```python\n1\n```\n".encode()).cells == ()


def test_a_reader_says_the_same_and_outlives_what_ends_it() -> None:
    ends = {"slow": signal.SIGPROF, "crash": signal.SIGSEGV, "killed": signal.SIGKILL}
    reader = Reader(lambda line: line in ends and os.kill(os.getpid(), ends[line]))
    said = Reader(lambda line: os.kill(os.getppid(), signal.SIGKILL))
    try:
        assert reader.why_unreadable("fine") == ""
        assert "seconds of processor time" in reader.why_unreadable("slow")
        assert "ends the process that reads it" in reader.why_unreadable("crash")
        with pytest.raises(ChildProcessError, match="signal 9"):
            reader.why_unreadable("killed")
        assert reader.why_unreadable("fine") == ""
        with pytest.raises(ChildProcessError, match="was ended"):
            said.why_unreadable("kills the reader itself")
    finally:
        reader.close()
        said.close()
