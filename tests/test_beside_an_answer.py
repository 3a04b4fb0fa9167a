"""What lies beside an answer is told: another version of it, what may be work, what is hidden."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli import app
from grader.submission import load_submission
from tests.submitted import NOTEBOOK, RIGHT, WRONG


def test_of_two_copies_that_differ_it_is_said_which_one_counts(tmp_path: Path) -> None:
    answers = {"04.ipynb": NOTEBOOK, "04 (1).ipynb": WRONG, "04-Copy1.ipynb": NOTEBOOK}
    answers |= {"old/04_old.py": RIGHT.replace("exp", "cos").encode()}
    for name, content in answers.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    said = load_submission(tmp_path, ["softmax"]).problems
    assert said == (
        "04 (1).ipynb: answers softmax otherwise than 04.ipynb, which counts; leave the one "
        "that is meant, and take the other away",
        "old/04_old.py: answers softmax otherwise than 04.ipynb, which counts; leave the one "
        "that is meant, and take the other away",
    )


@pytest.mark.parametrize(
    ("one", "counts"),
    [
        *(("a.py", "b.py"), ("04.py", "2_04.py")),
        *(("test_a.py", "a.py"), ("tests/a.py", "src/mine/a.py"), ("z_test.py", "a.py")),
        *(("scratch/a.py", "src/mine/b.py"), ("Old/04.py", "work/2_04.py")),
        *(("04.py", "Copy of 04.py"), ("Kopie von 04.py", "04_final.py")),
        *(("04_LOCAL_77.py", "04.py"), ("04_mine.py", "04_remote.py")),
        *(("04_v9.py", "04_v10.py"), ("04 (2).py", "04 (10).py")),
        *(("04_backup.py", "04.py"), ("04_BACKUP_12.py", "04.py"), ("04.nbconvert.py", "04.py")),
        *(("04.sync-conflict-2026.py", "04.py"), ("04~.py", "04.py"), ("04_mine.py", "04_ours.py")),
    ],
)
def test_of_two_files_that_differ_it_is_said_which_one_counts(
    one: str, counts: str, tmp_path: Path
) -> None:
    """The second name is what `grader arrange` makes of one that came twice."""
    for name, content in {one: RIGHT, counts: RIGHT.replace("exp", "cos")}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (said,) = load_submission(tmp_path, ["softmax"]).problems
    assert said.startswith(f"{one}: answers softmax otherwise than {counts}, which counts")


def test_a_copy_that_a_browser_has_called_otherwise_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "a.py.txt").write_text(RIGHT.replace("exp", "cos"), encoding="utf-8")
    (said,) = load_submission(tmp_path, ["softmax"]).problems
    assert said.startswith("a.py.txt: answers softmax otherwise than a.py, which counts")


LIKE_WORK = (
    ("softmax.py.bak", ".softmax.py", "04.ipynb.icloud", "in/.work.zip", "b.PY~"),
    (".mine/04.ipynb", "in/.old/week 4/a.py", ".mine/w.zip", "homework", "in/Week 4"),
)
QUIET = (
    *(
        "a.py",
        "a.py~",
        "._a.py",
        ".#a.py",
        ".a.py.swp",
        "a.py:Zone.Identifier",
        "x.pyc",
        "f.py.png",
    ),
    *(".DS_Store", ".gitignore", ".python-version", "data.csv", ".git/hook.py", ".trash.md"),
    *("__pycache__/a.py.x", ".ipynb_checkpoints/04-checkpoint.ipynb", "report.pdf"),
    *(".git/HEAD", ".venv/lib/x.py", "__MACOSX/in/04.ipynb", ".mine/data.csv", ".mine/notes"),
    *("in/LICENSE", "Makefile", ".mine/.git/a.py"),
)


@pytest.mark.parametrize("is_zip", [False, True])
@pytest.mark.parametrize("names", LIKE_WORK)
def test_what_may_be_work_and_is_not_read_is_told(
    names: tuple[str, ...], is_zip: bool, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "ann.zip", "w") as archive:
        for name in (*names, *QUIET):
            (tmp_path / "ann" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "ann" / name).write_text(RIGHT, encoding="utf-8")
            archive.writestr(name, RIGHT)
    found = load_submission(tmp_path / ("ann.zip" if is_zip else "ann"), ["softmax"])
    (said,) = found.problems
    told, _, why = said.partition(": ")
    assert {*told.split(", ")} == {*names} and "may be work, and not read" in why


AS_DATA = {
    "04.txt": NOTEBOOK.decode(),
    "softmax.txt": RIGHT,
    "line.json": json.dumps({"cells": [{"source": f"import torch\n{RIGHT}"}]}),
}


@pytest.mark.parametrize("name", AS_DATA)
def test_an_answer_in_a_data_file_is_told(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(AS_DATA[name], encoding="utf-8")
    (tmp_path / "01.py").write_text("x = 1\n", encoding="utf-8")
    (said, *_) = load_submission(tmp_path, ["softmax"]).problems
    assert said.startswith(f"{name}: holds softmax as text")
    (tmp_path / "01.py").write_text(f"exec(open({name!r}).read())\n", encoding="utf-8")
    assert not load_submission(tmp_path, ["softmax"]).problems
    (tmp_path / "01.py").write_text(RIGHT, encoding="utf-8")
    assert not load_submission(tmp_path, ["softmax"]).problems


@pytest.mark.parametrize("name", [".04.ipynb", "week 4/.softmax.py", ".mine/w4/04.ipynb"])
def test_what_is_hidden_in_a_download_stays_so_and_is_told(name: str, tmp_path: Path) -> None:
    for file, content in {"04.ipynb": NOTEBOOK, name: WRONG, "04.ipynb.bak": WRONG}.items():
        (tmp_path / "all" / "ann" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / "ann" / file).write_bytes(content)
    (tmp_path / "all" / "bob").mkdir()
    (tmp_path / "all" / "bob" / "04.ipynb").write_bytes(NOTEBOOK)
    done = CliRunner().invoke(app, ["arrange", str(tmp_path / "all"), str(tmp_path / "class")])
    assert done.exit_code == 0, done.output
    (said,) = load_submission(tmp_path / "class" / "ann", ["softmax"]).problems
    assert {*said.partition(": ")[0].split(", ")} == {name, "04.ipynb.bak"}
