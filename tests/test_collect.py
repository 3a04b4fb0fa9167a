"""`grader collect` leaves the old hand-ins or the new ones, whatever stops it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.cohort.attempts import attempts_of
from grader.cohort.messages import Marking, Setup
from grader.gradebook.times import read_times
from grader.gradebook.tries import read_tries
from grader.service.ledger import Ledger
from grader.submission import find_submissions
from tests.bundles import ROOT

# Both in one process, as it starts slowly; what a full disk leaves is seen from within.
_SCRIPT = """
import os, shutil, signal, sys
from pathlib import Path
from typer.testing import CliRunner
from grader.cli import app
from grader.service.ledger import Ledger
from tests.test_collect import collected, handed_in

def collect(kept, target):
    return CliRunner().invoke(app, ["collect", str(kept), str(target)])

def killed_at(number, folder, target):
    "Whether the process was killed when it was about to change a file for the n-th time."
    if not (child := os.fork()):
        left = [number]
        def count(event, given):
            changes = event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
            if event == "open":
                changes = isinstance(given[1], str) and any(c in given[1] for c in "wx+")
            if changes and str(folder) in str(given[0]):
                left[0] -= 1
                if not left[0]:
                    os.kill(os.getpid(), signal.SIGKILL)
        sys.addaudithook(count)
        os._exit(collect(folder / "kept", target).exit_code)
    _, status = os.waitpid(child, 0)
    assert status in (0, signal.SIGKILL), status
    return status == signal.SIGKILL

folder, work = Path(sys.argv[2]), Path(sys.argv[3])
if sys.argv[1] == "kill":
    number = 1
    while killed_at(number, folder, work / str(number) / "class"):
        number += 1
        shutil.copytree(work / "0", work / str(number))
else:
    print(collect(folder / "kept", work / "class").exit_code)
    old = collected(work / "class")
    handed_in(folder / "kept", os.urandom(700_000))
    done = collect(folder / "kept", work / "class")
    print(repr(done.exception), collected(work / "class") == old, len(os.listdir(work)))
"""


def handed_in(kept: Path, content: bytes) -> None:
    with Ledger(kept) as store:
        for learner in ("ada", "bob"):
            store.admit(learner)
            store.keep(learner, b"PK" + learner.encode() + content)
            store.note(learner, "softmax", "passed")


def collect(kept: Path, target: Path, *more: str, status: int = 0) -> str:
    done = CliRunner().invoke(app, ["collect", str(kept), str(target), *more])
    assert done.exit_code == status, done.output
    return done.output


def collected(folder: Path) -> list[object]:
    """All that is known of a folder's hand-ins."""
    attempts = attempts_of(folder, find_submissions(folder))
    works = [
        (who, one.time, one.path.read_bytes()) for who, each in attempts.items() for one in each
    ]
    times = read_times(folder.with_name("class_times.csv"))
    return [works, times, read_tries(folder.with_name("class_tries.csv"))]


def script(way: str, folder: Path, work: Path, *before: str) -> str:
    done = subprocess.run(
        [*before, sys.executable, "-c", _SCRIPT, way, str(folder), str(work)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def stopped(_: Setup) -> Marking:
    """Instead of marking."""
    raise KeyboardInterrupt


def is_refused(target: Path) -> bool:
    """Whether `grade` will not have it; else it goes on to mark, where it is stopped."""
    line = ["grade", str(target), "--out", str(target.with_name("marks"))]
    done = CliRunner().invoke(app, line, obj=stopped)
    assert done.exit_code == (2 if "half old and half new" in done.output else 3), done.output
    return done.exit_code == 2


def test_a_kill_at_any_moment_leaves_one_set_whole(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    handed_in(kept, b" 1")
    for number in ("0", "1"):
        (tmp_path / number).mkdir()
        collect(kept, tmp_path / number / "class")
    old = collected(tmp_path / "0" / "class")
    handed_in(kept, b" 2")
    script("kill", tmp_path, tmp_path)
    states = sorted(int(path.name) for path in tmp_path.iterdir() if path.name.isdigit())[1:]
    new = collected(tmp_path / str(states[-1]) / "class")
    found = []
    for number in map(str, states):
        target = tmp_path / number / "class"
        if is_refused(target):
            found.append("refused")
        else:
            found.append("old" if collected(target) == old else "new")
            assert found[-1] == "old" or collected(target) == new
        collect(kept, target)  # which puts all in order
        assert collected(target) == new and not is_refused(target)
        assert {each.name for each in target.iterdir()} == {"ada.zip", "bob.zip"}
    assert list(dict.fromkeys(found)) == ["old", "refused", "new"]


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="no bubblewrap")
def test_a_full_disk_leaves_the_old_set(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    handed_in(tmp_path / "kept", b" 1")
    sandbox = ["bwrap", "--dev-bind", "/", "/", "--size", "1000000", "--tmpfs", str(work)]
    said = script("full", tmp_path, work, *sandbox).splitlines()
    assert said == ["0", "OSError(28, 'No space left on device') True 4"]


def test_what_is_not_of_the_hand_ins_stays_and_is_told(tmp_path: Path) -> None:
    handed_in(tmp_path / "kept", b" 1")
    target = tmp_path / "class"
    collect(tmp_path / "kept", target, "--every")
    old = collected(target)
    said = collect(tmp_path / "kept", target, status=2)
    assert "holds ada, 1.zip, which is not of these hand-ins" in said
    assert collected(target) == old and not is_refused(target)
