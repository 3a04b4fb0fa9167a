"""A learner's folder: the course comes into it, nothing of theirs is lost, saves are checked."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

from grader.cli import app
from grader.cli.selfcheck import saves, watch
from grader.cli.workplace import FOLDER, OLD, find, reset, start
from grader.curriculum.complaint import Complaint
from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from grader.notebook.progress_file import FILE as PROGRESS
from grader.submission import load_submission
from tests.submitted import write_notebook

NOTEBOOKS = chosen_course().notebooks

ROOT = Path(__file__).resolve().parent.parent
NAME = "04_softmax.ipynb"
MINE = "def softmax(x, dim):\n    return x / 0\n"


def write(path: Path, exercise: str, text: str) -> None:
    """Put `text` where the stub of an exercise stands."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and f"def {exercise}(" in "".join(cell["source"]):
            cell["source"] = text.splitlines(keepends=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def is_stub(path: Path, exercise: str) -> bool:
    cut = load_submission(path, syllabus().names).slice(exercise)
    return cut is not None and cut.is_stub


def test_the_course_is_copied_once_and_nothing_is_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "my course"
    copied = start(folder)
    assert {Path(NAME), Path("kit/__init__.py")} <= set(copied)
    write(folder / NAME, "softmax", MINE)
    before = (folder / NAME).read_bytes()
    (folder / "05_multi_head_attention.ipynb").unlink()
    assert start(folder) == (Path("05_multi_head_attention.ipynb"),)
    assert (folder / NAME).read_bytes() == before
    assert not start(folder)
    for wrong, course in ((NOTEBOOKS / "mine", NOTEBOOKS), (folder, tmp_path / "nothing")):
        with pytest.raises(Complaint, match=r"is part of the course|holds no notebooks"):
            start(wrong, course)


def test_an_update_of_the_course_touches_nobodys_work(tmp_path: Path) -> None:
    course, folder = tmp_path / "course", tmp_path / "mine"
    (course / "kit").mkdir(parents=True)
    names = ("04.ipynb", "05.ipynb", "kit/a.py", "kit/b.py")
    for name in names:
        (course / name).write_text("old")
    (folder / "kit").mkdir(parents=True)
    (folder / "kit/b.py").write_text("theirs, from before")
    start(folder, course)
    (folder / "04.ipynb").write_text("theirs")
    for name in names:
        (course / name).write_text("new")
    assert start(folder, course) == (Path("05.ipynb"), Path("kit/a.py"))
    texts = {name: (folder / name).read_text() for name in names}
    assert texts == {
        "04.ipynb": "theirs",
        "05.ipynb": "new",
        "kit/a.py": "new",
        "kit/b.py": "theirs, from before",
    }
    assert not start(folder, course)


def test_a_clone_has_one_place_for_it_which_git_ignores(tmp_path: Path) -> None:
    assert f"/{FOLDER}/" in (ROOT / ".gitignore").read_text().splitlines()
    assert f"\nFOLDER = {FOLDER}\n" in (ROOT / "Makefile").read_text()
    assert f"${{1:-{FOLDER}}}" in (ROOT / "scripts/start.sh").read_text()
    assert find(tmp_path) == tmp_path
    start(tmp_path / FOLDER)
    assert find(tmp_path) == find(tmp_path / FOLDER) == tmp_path / FOLDER


def test_who_stands_in_the_own_folder_starts_no_other_within(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path)
    (tmp_path / NAME).unlink()
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, ["start"]).exit_code == 0
    assert (tmp_path / NAME).exists() and not (tmp_path / FOLDER).exists()


def test_commands_find_the_place_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    refused = run(app, ["check"])
    assert refused.exit_code == 2 and "`grader start`" in refused.output
    assert run(app, ["start"]).exit_code == 0
    write(tmp_path / FOLDER / NAME, "softmax", MINE)
    (tmp_path / FOLDER / PROGRESS).write_text(
        '[softmax]\nverdict = "passed"\npoints = 2\nday = 2026-01-31\n'
    )
    assert "✓ softmax: passed (2026-01-31)" in run(app, ["progress"]).output


def test_check_speaks_of_the_chapters_of_a_notebook_and_progress_knows_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    start(tmp_path)
    write(tmp_path / NAME, "softmax", MINE)
    run = CliRunner().invoke
    said = run(app, ["check", NAME]).output
    assert "✗ softmax: failed" in said and "Not started: masked_softmax, " in said
    points = sum(each.points for each in syllabus().exercises if each.chapter == NAME[:-6])
    assert said.endswith(f"\n0 of {points:g} points\n") and "Missing" not in said
    assert all(line == line.rstrip() for line in said.splitlines())
    assert "✗ softmax: failed" in run(app, ["progress"]).output
    assert "masked_softmax" not in (tmp_path / PROGRESS).read_text()
    said = run(app, ["check", "softmax"]).output
    assert "there is no softmax here; for one exercise: --exercise softmax" in said
    said = run(app, ["check", "--exercise", "sofmax"]).output
    assert "did you mean softmax" in said


def test_a_stub_comes_back_and_the_old_text_is_kept(tmp_path: Path) -> None:
    start(tmp_path)
    path = tmp_path / NAME
    write(path, "softmax", f"import torch\n\n{MINE}\nprint(1)\n")
    write(path, "masked_softmax", "def masked_softmax(scores, mask):\n    return scores\n")
    assert reset(path, "softmax") == ("softmax",)
    assert is_stub(path, "softmax") and not is_stub(path, "masked_softmax")
    assert MINE.strip() in (tmp_path / OLD).read_text()
    assert reset(path) == ("masked_softmax",)
    assert not reset(path)
    assert is_stub(path, "softmax") and is_stub(path, "masked_softmax")
    for exercise in ("softmax", "gelu", "nothing"):  # a stub already, another chapter's, none
        with pytest.raises(Complaint, match=r"has no exercise|more than its stub"):
            reset(path, exercise)
    other = tmp_path / "other.ipynb"
    other.write_text("{}")
    with pytest.raises(Complaint, match="the course has no other"):
        reset(other)
    path.write_text("half a")
    with pytest.raises(Complaint, match="is no notebook"):
        reset(path)


def watched(path: Path, saved: Iterator[Path]) -> str:
    out = Console(file=io.StringIO(), width=100, color_system=None)
    watch(path, out, saved)
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


@pytest.mark.parametrize("cells", [("{}", "{}"), ("{}\n\n{}",), ("{}\n\nother = 1\n{}",)])
def test_all_that_stood_under_a_name_is_kept(cells: tuple[str, ...], tmp_path: Path) -> None:
    ones = [f"def softmax(x, dim):\n    return x * {factor}" for factor in (2, 3)]
    left = iter(ones)
    written = [cell.format(*(next(left) for _ in range(cell.count("{}")))) for cell in cells]
    notebook = write_notebook(tmp_path / "04_softmax.ipynb", *written)
    assert reset(notebook, "softmax") == ("softmax",)
    kept = (tmp_path / "replaced.txt").read_text(encoding="utf-8")
    assert all(one in kept for one in ones) and kept.index(ones[0]) < kept.index(ones[1])
    assert "return x *" not in notebook.read_text(encoding="utf-8")


def test_each_save_is_checked_as_far_as_it_changed(tmp_path: Path) -> None:
    path = tmp_path / "work.py"

    def saved() -> Iterator[Path]:
        yield path  # not there yet
        path.write_text(f"{MINE}\n\ndef causal_mask(n):\n    raise NotImplementedError\n")
        yield path
        yield path  # nothing has changed
        path.write_text(MINE.replace("x / 0", "(x - x.logsumexp(dim, keepdim=True)).exp()"))
        yield path
        path.write_bytes(b"\x89PNG\r\n\x1a\n\0")
        yield path

    said = watched(path, saved())
    assert said.count("softmax: ") == 2 and "causal_mask" not in said
    assert "✗ softmax: failed" in said and "✓ softmax: passed" in said
    assert said.startswith("work.py is checked at each save") and "Not read: work.py" in said
    assert list(tmp_path.iterdir()) == [path]  # no folder of a learner's own: nothing is kept


def test_watching_goes_on_to_the_next_exercise_and_the_next_chapter(tmp_path: Path) -> None:
    start(tmp_path)
    first, second = tmp_path / "00_start_here.ipynb", tmp_path / NAME

    def saved() -> Iterator[Path]:
        write(first, "sentence_vector", "def sentence_vector(hidden):\n    return hidden.mean(1)")
        yield first
        write(
            second, "softmax", "def softmax(x, dim):\n    return x.exp() / x.exp().sum(dim, True)"
        )
        yield second

    lines = watched(first, saved()).splitlines()
    told = [line for line in lines if "Next: " in line]
    assert told[0].endswith("1 of 1  Next: wordpiece_tokenize, in chapter 01.")
    assert told[1].startswith("Softmax ░") and told[1].endswith("Next: softmax, in chapter 04.")


def test_a_save_beside_the_watched_notebook_counts_too(tmp_path: Path) -> None:
    start(tmp_path)
    noticed = saves(tmp_path / NAME)
    assert next(noticed) == tmp_path / NAME
    other = tmp_path / "05_multi_head_attention.ipynb"
    stat = other.stat()
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1))
    assert next(noticed) == other


def test_a_copied_notebook_holds_what_jupyterlab_adds_when_it_opens_one(tmp_path: Path) -> None:
    start(tmp_path)
    kernel = subprocess.run(
        [sys.executable, "-c", "from ipykernel.ipkernel import IPythonKernel as K;"
         "import json; print(json.dumps(K.language_info))"],
        capture_output=True, check=True, text=True,
    )  # fmt: skip
    for path in tmp_path.glob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        assert notebook["metadata"]["language_info"] == json.loads(kernel.stdout)
        for cell in notebook["cells"]:
            folded = cell["metadata"].get("jupyter", {}).get("outputs_hidden", False)
            assert cell["metadata"].get("collapsed", False) == folded
        original = json.loads((NOTEBOOKS / path.name).read_text(encoding="utf-8"))
        assert [c["source"] for c in notebook["cells"]] == [c["source"] for c in original["cells"]]


def test_hints_come_one_by_one_in_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path)
    monkeypatch.chdir(tmp_path)
    run = CliRunner().invoke
    assert "sentence_vector, hint 1 of 3" in run(app, ["hint"]).output  # of the next exercise
    first, last = run(app, ["hint", "softmax"]).output, run(app, ["hint", "softmax", "3"]).output
    assert "hint 1 of 3" in first and "grader hint softmax 2" in first
    assert "hint 3 of 3" in last and "grader hint" not in last
    assert run(app, ["hint", "softmax", "4"]).exit_code == 2
    assert "did you mean softmax" in run(app, ["hint", "sofmax"]).output


def test_help_lists_every_command_once_in_groups_with_no_word_cut_off() -> None:
    shown = CliRunner().invoke(app, ["--help"], terminal_width=80).output
    assert "…" not in shown and "..." not in shown.partition("Learners:")[2]
    commands: Any = get_command(app)
    listed = re.findall(r"^  ([a-z]+)  +[A-Z]", shown.partition("Learners:")[2], re.MULTILINE)
    assert sorted(listed) == sorted(commands.commands)
    learners = re.split(r"^\w.*:$", shown.partition("Learners:")[2], flags=re.MULTILINE)[0]
    assert len(re.findall(r"^  [a-z]", learners, re.MULTILINE)) == 5
    for name, command in commands.commands.items():
        words = " ".join((command.help or "").split())
        assert words and words in " ".join(shown.split()), name
