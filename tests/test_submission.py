"""Whatever is handed in is read within bounds, or said in words to be unreadable."""

from __future__ import annotations

import contextlib
import json
import os
import socket
from pathlib import Path

import pytest

from grader.submission import find_submissions, load_submission, nobodys
from tests.counted import peak_memory, within
from tests.submitted import EXERCISES, execute, notebook_json, write_notebook, write_zip

ANSWER = "def softmax(x):\n    return x + 1"


def load(path: Path) -> object:
    return load_submission(path, EXERCISES)


# A class


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


# Notebooks


NOTEBOOKS = {
    "source as text": notebook_json(ANSWER),
    "source as lines": notebook_json(ANSWER).replace(
        json.dumps(ANSWER), json.dumps(ANSWER.splitlines(keepends=True))
    ),
    "no metadata, ids or outputs": json.dumps({"cells": [{"cell_type": "code", "source": ANSWER}]}),
    "format 5": notebook_json(ANSWER, nbformat=5),
    "format as text": notebook_json(ANSWER, nbformat="4"),
    "format 3": json.dumps(
        {
            "nbformat": 3,
            "worksheets": [
                {"cells": [{"cell_type": "code", "input": ANSWER, "language": "python"}]}
            ],
        }
    ),
    "Windows newlines": notebook_json(ANSWER.replace("\n", "\r\n")),
    "old Mac newlines": notebook_json(ANSWER.replace("\n", "\r")),
    "a byte order mark in the cell": notebook_json("\ufeff" + ANSWER),
    "NaN and infinity": notebook_json(ANSWER)[:-1] + ', "x": [NaN, -Infinity]}',
    "a huge integer": notebook_json(ANSWER)[:-1] + ', "x": ' + "9" * 100_000 + "}",
    "duplicate keys": '{"cells": 3, ' + notebook_json(ANSWER)[1:],
    "odd cells among them": json.dumps(
        {
            "cells": [
                *(3, None, "x", [], {}, {"cell_type": []}, {"cell_type": "code"}),
                *({"cell_type": "code", "source": each} for each in (3, None, {}, [1], [[]])),
                {"cell_type": "code", "source": ANSWER, "metadata": 7, "outputs": "?"},
                {"cell_type": "markdown", "source": "def softmax(x): return 'markdown'"},
                {"cell_type": "raw", "source": "def softmax(x): return 'raw'"},
            ]
        }
    ),
    "a lone surrogate": notebook_json("x = '\ud800'\n" + ANSWER),
    "a cell with NUL": notebook_json(ANSWER, "x = '\0'"),
    "nested outputs": notebook_json(ANSWER).replace(
        '"outputs": []', '"outputs": ' + "[" * 400 + "]" * 400
    ),
}


@pytest.mark.parametrize("case", NOTEBOOKS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_notebooks_of_every_kind(tmp_path: Path, case: str, encoding: str) -> None:
    path = tmp_path / "work.ipynb"
    path.write_bytes(NOTEBOOKS[case].encode(encoding))
    work = load_submission(path, EXERCISES)
    assert work.learner == "work"
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_cells_are_numbered_as_a_reader_counts_them(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": "# Title"},
        {"cell_type": "code", "source": "x = 1"},
        {"cell_type": "code", "source": ANSWER},
    ]
    path = tmp_path / "work.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    cut = load_submission(path, EXERCISES).slice("softmax")
    assert cut is not None and cut.units[0].label == "work.ipynb, cell 3"


UNREADABLE = {
    "empty": b"",
    "cut off": b'{"cells": [',
    "no JSON": b"<html>",
    "binary": bytes(range(256)),
    "a list": b"[]",
    "a number": b"3",
    "nothing": b"null",
    "no cells": b"{}",
    "cells are no list": b'{"cells": {}}',
    "worksheets are odd": b'{"worksheets": [3]}',
    "nested deeply": b"[" * 100_000 + b"]" * 100_000,
    "nested deeply, cells": b'{"cells":' * 50_000,
    "NUL": b"\0" * 1_000,
    "control characters": b'{"cells": ["\x1b[2J"]}',
    "a million lists": b"[" + b"[]," * 1_600_000 + b"[]]",
    "surrogates in UTF-16": b"\xff\xfe\x00\xd8",
    "a zip": b"PK\x03\x04",
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_no_notebook_is_said_to_be_none(tmp_path: Path, case: str) -> None:
    path = tmp_path / "work.ipynb"
    path.write_bytes(UNREADABLE[case])
    # It takes 300, or some thousand where Python imports an encoding: none for each byte.
    work = within(10_000, load_submission, path, EXERCISES)
    assert not work.cells and work.problems and work.slice("softmax") is None
    assert all(problem.isprintable() and len(problem) < 500 for problem in work.problems)


NOTHING = {
    "no cell": ("work.ipynb", notebook_json(), "this holds only work.ipynb"),
    "no file": ("work", "", "this holds nothing"),
    "prose": ("work.md", "# Notes\n", "this holds only work.md"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_where_there_is_no_code_a_problem_says_so(tmp_path: Path, case: str) -> None:
    name, content, said = NOTHING[case]
    path = tmp_path / name
    path.write_text(content, encoding="utf-8") if content else path.mkdir()
    work = load_submission(path, EXERCISES)
    assert not work.cells and said in work.problems[0] and len(work.problems) == 1


def test_files_of_other_kinds_are_named_where_there_is_nothing_else(tmp_path: Path) -> None:
    for name in ("report.pdf", "deep/notes.docx", "data.csv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"x")
    (said,) = load_submission(tmp_path, EXERCISES).problems
    assert "only data.csv, deep/notes.docx, report.pdf;" in said
    write_notebook(tmp_path / "a.ipynb", ANSWER)
    assert not load_submission(tmp_path, EXERCISES).problems


@pytest.mark.parametrize("packed", [False, True])
def test_outputs_never_stop_a_notebook_from_being_read(packed: bool, tmp_path: Path) -> None:
    """60 MB of printed lines, beside texts that look like outputs."""
    trap = f'TEXT = \'"outputs": [ \\"]}}{{\'\n{ANSWER}'
    content = json.loads(notebook_json("print(1)", trap))
    lines = [f"step {n}, loss 0.{n % 1000}\\n" for n in range(2_000_000)]
    content["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": lines}]
    content["metadata"]["widgets"] = {"state": {"a": [{}]}}
    path = tmp_path / "ann.ipynb"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    assert path.stat().st_size > 60_000_000
    if packed:
        path = write_zip(tmp_path / "ann.zip", ("ann.ipynb", path.read_bytes()))
    work = load_submission(path, EXERCISES)
    assert not work.problems and [cell.source for cell in work.cells] == ["print(1)", trap]
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_a_file_of_200_mb_is_refused_without_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "work.ipynb"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert peak_memory(load_submission, path, EXERCISES) < 1_000_000
    work = load_submission(path, EXERCISES)
    assert "too large" in work.problems[0] and "clear the outputs" in work.problems[0]


def test_endless_code_is_left_out_and_the_rest_counts(tmp_path: Path) -> None:
    long, many = "x = 1\n" * 50_000, f"y = {'2' * 55}\n" * 3_000
    path = write_notebook(tmp_path / "work.ipynb", ANSWER, long, *[many] * 6)
    work = load_submission(path, EXERCISES)
    assert len(work.problems) == 2
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_problems_do_not_pile_up(tmp_path: Path) -> None:
    path = tmp_path / "work.ipynb"
    path.write_text(json.dumps({"cells": [1] * 100_000}))
    assert len(load_submission(path, EXERCISES).problems) <= 101


# Scripts and folders


HEADED = "---\njupyter:\n  jupytext:\n    formats: md\n---\n\n# Mine\n\n"
IN_MARKDOWN = [
    ("softmax.md", f"{HEADED}```python\n{ANSWER}\n```\n\n```\ntensor(1.)\n```\n"),
    ("softmax.md", f"{HEADED}````{{code-cell}} ipython3\n:tags: [mine]\n{ANSWER}\n````\n"),
    ("softmax.md", f"{HEADED}```python .noeval\n1 / 0\n```\n~~~python\n{ANSWER}\n~~~\n"),
    ("softmax.qmd", f"Prose\n\n```{{python}}\n{ANSWER}\n```\n```{{r}}\nx <- 1\n```\n"),
    ("softmax.Rmd", f"```{{python, echo=FALSE}}\n{ANSWER}\n```\n"),
]


@pytest.mark.parametrize(("name", "text"), IN_MARKDOWN)
def test_a_notebook_saved_as_markdown(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    submission = load_submission(tmp_path, EXERCISES)
    assert [cell.source for cell in submission.cells] == [ANSWER]
    assert submission.problems == ()


def test_other_markdown_is_prose_and_no_learner(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"```python\n{ANSWER}\n```\n", encoding="utf-8")
    assert load_submission(tmp_path, EXERCISES).cells == ()
    assert learners(tmp_path) == []


def test_a_script(tmp_path: Path) -> None:
    path = tmp_path / "softmax_00.py"
    path.write_text(f"#!/usr/bin/env python\n# %%\nimport math\n\n\n# %% [markdown]\n{ANSWER}\n")
    cut = load_submission(path, EXERCISES).slice("softmax")
    assert cut is not None
    assert [(u.label, u.line) for u in cut.units] == [("softmax_00.py", 7)]


@pytest.mark.parametrize("mark", ["# %%", "# In[ ]:", "# In [3]:", "# %% a title"])
def test_a_notebook_saved_as_a_script_breaks_cell_by_cell(tmp_path: Path, mark: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(f"import math\n{mark}\nfor i in range(3)\n    x\n{mark}\n{ANSWER}\n")
    work = load_submission(path, EXERCISES)
    assert [(broken.label, broken.line) for broken in work.broken] == [("a.py", 3)]
    cut = work.slice("softmax")
    assert cut is not None and not cut.broken
    assert [(unit.label, unit.line) for unit in cut.units] == [("a.py", 6)]


def test_a_script_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(b"# -*- coding: latin-1 -*-\nk = '\xe9'\n" + ANSWER.encode())
    work = load_submission(path, EXERCISES)
    assert not work.problems and "k = 'é'" in work.cells[0].source
    assert execute(work.slice("softmax"))["softmax"](1) == 2
    path.write_bytes(b"k = '\xe9'\n" + ANSWER.encode())
    work = load_submission(path, EXERCISES)
    assert "UTF-8" in work.problems[0]
    assert execute(work.slice("softmax"))["softmax"](1) == 2


def test_a_folder_with_files_that_pytest_and_python_would_run(tmp_path: Path) -> None:
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "answers.py").write_text(ANSWER)
    for name in ("conftest.py", "sitecustomize.py", "torch.py", "usercustomize.py"):
        (folder / name).write_text("import os\nos._exit(1)")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --co")
    work = load_submission(folder, EXERCISES)
    assert work.learner == "ann" and not work.problems
    cut = work.slice("softmax")
    assert cut is not None and [u.label for u in cut.units] == ["answers.py"]


def test_a_folder_of_notebooks_in_name_order(tmp_path: Path) -> None:
    folder = tmp_path / "v1.5 final.py"  # a folder all the same
    (folder / "deep").mkdir(parents=True)
    (folder / ".ipynb_checkpoints").mkdir()
    write_notebook(folder / "b.ipynb", "b = 1")
    write_notebook(folder / "a.ipynb", "a = 1")
    write_notebook(folder / "deep" / "c.ipynb", "c = 1")
    write_notebook(folder / ".ipynb_checkpoints" / "a-checkpoint.ipynb", "old = 1")
    (folder / "0.py").write_text("d = 1")
    work = load_submission(folder, EXERCISES)
    assert work.learner == "v1.5 final.py"
    assert [cell.label for cell in work.cells] == [
        "a.ipynb, cell 1",
        "b.ipynb, cell 1",
        "deep/c.ipynb, cell 1",
        "0.py",
    ]


def test_a_folder_holding_traps(tmp_path: Path) -> None:
    folder = tmp_path / "ann"
    folder.mkdir()
    (folder / "answers.py").write_text(ANSWER)
    (folder / "up").symlink_to("..")
    (folder / "passwd.py").symlink_to("/etc/passwd")
    os.mkfifo(folder / "fifo.ipynb")
    deep = folder
    for _ in range(30):
        deep = deep / "d"
        deep.mkdir()
    (deep / "x.py").write_text("x = 1")
    work = load_submission(folder, EXERCISES)
    assert len(work.problems) == 4
    assert [cell.label for cell in work.cells] == ["answers.py"]


def test_a_folder_of_too_many_files(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number:03}.py").write_text("x = 1")
    work = load_submission(tmp_path, EXERCISES)
    assert len(work.cells) == 200 and work.problems
