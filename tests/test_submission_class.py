"""Each submission of a class is found, is one learner, and is read only if it is a file."""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path

import pytest

from grader.submission import find_submissions, load_submission, nobodys
from tests.counted import within
from tests.submitted import ANSWER, EXERCISES, execute, write_notebook


def learners(folder: Path) -> list[str]:
    return [found.learner for found in find_submissions(folder)]


def test_each_notebook_script_zip_and_folder_is_a_learner(tmp_path: Path) -> None:
    for name in ("bea.ipynb", "ann.py", "Cem.ZIP", "notes.txt", "expected.json", ".hidden.py"):
        (tmp_path / name).touch()
    for name in ("dov", ".git", ".ipynb_checkpoints", "__pycache__"):
        (tmp_path / name).mkdir()
    assert learners(tmp_path) == ["Cem", "ann", "bea", "dov"]
    nobody = [each.partition(":")[0] for each in nobodys(tmp_path)]
    assert nobody == [".hidden.py", "expected.json", "notes.txt"]


def test_a_single_file_is_one_submission(tmp_path: Path) -> None:
    path = write_notebook(tmp_path / "ann.ipynb", ANSWER)
    [found] = find_submissions(path)
    assert (found.path, found.learner) == (path, "ann")


COLLIDING = {
    "stem": (["a.ipynb", "a.py"], ["a.ipynb", "a.py"]),
    "folder and file": (["a/", "a.py"], ["a.py", "a/"]),
    "a folder named like a file": (["a.PY/", "a.PY.ipynb"], ["a.PY.ipynb", "a.PY/"]),
    "a stem named like a file": (["a.ipynb", "a.py", "a.py.zip"], ["a.ipynb", "a.py", "a.py.zip"]),
    "case": (["Ann.py", "ann.py"], ["Ann", "ann"]),
    "normal form": (["caf\u00e9.py", "cafe\u0301.py"], ["cafe\u0301", "caf\u00e9"]),
    "only the suffix's case": (["a.py", "a.PY"], ["a.PY", "a.py"]),
    "spelt": (["a\x1b.py", "a\\x1b.py", "'=a.py", "=a.py"], None),
    "strange": (["=1+1.py", "<b>.py", "\x1b[2J.py", "a\nb.py", "a..py"], None),
    "long": (["x" * 250 + ".py", "x" * 249 + ".py"], None),
    "no text": ([os.fsdecode(b"\xff.py"), "\\udcff.py", "\\\\udcff.py"], None),
}


@pytest.mark.parametrize("case", COLLIDING)
def test_two_learners_never_become_one(tmp_path: Path, case: str) -> None:
    names, expected = COLLIDING[case]
    for name in names:
        if name.endswith("/"):
            (tmp_path / name).mkdir()
        else:
            (tmp_path / name).write_text(ANSWER)
    found = list(find_submissions(tmp_path))
    assert len({each.learner for each in found}) == len(names)
    assert expected is None or sorted(each.learner for each in found) == sorted(expected)
    for each in found:
        each.learner.encode()
        work = load_submission(each.path, EXERCISES, each.learner)
        assert work.learner == each.learner
        if each.path.name.endswith(".py"):
            cut = work.slice("softmax")
            assert execute(cut)["softmax"](1) == 2
            assert cut is not None and all(c.isprintable() for c in cut.units[0].label)


def test_a_class_of_many_thousands_is_listed_in_a_few_steps_a_learner(tmp_path: Path) -> None:
    for number in range(5_000):
        (tmp_path / f"learner_{number:05}.py").touch()
    found = within(500 * 5_000, learners, tmp_path)  # it takes 150 for each
    assert found == sorted(found) and len(found) == 5_000


def test_links_fifos_and_sockets_get_a_problem_and_are_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("def softmax(x): return 'secret'")
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / "link.py").symlink_to(secret)
    (folder / "loop.ipynb").symlink_to("loop.ipynb")
    (folder / "linked_folder").symlink_to(tmp_path)
    (folder / "dangling.zip").symlink_to("nowhere")
    os.mkfifo(folder / "fifo.ipynb")
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as server, contextlib.chdir(folder):
        server.bind("socket.py")
    assert len(learners(folder)) == 7
    for found in find_submissions(folder):
        work = load_submission(found.path, EXERCISES, found.learner)
        assert not work.cells and len(work.problems) == 1, found.learner
        assert work.slice("softmax") is None


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs device files")
def test_devices_are_not_read() -> None:
    assert "no regular file" in load_submission("/dev/zero", EXERCISES).problems[0]


def test_what_vanishes_or_is_locked_gets_a_problem(tmp_path: Path) -> None:
    assert load_submission(tmp_path / "gone.ipynb", EXERCISES).problems
    assert load_submission(tmp_path / "a\0b.py", EXERCISES).problems
    assert load_submission(tmp_path / ("x" * 300 + ".py"), EXERCISES).problems
    locked = tmp_path / "locked.py"
    locked.write_text(ANSWER)
    locked.chmod(0)
    assert load_submission(locked, EXERCISES).problems or os.geteuid() == 0
