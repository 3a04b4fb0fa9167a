"""Scripts, notebooks saved as text, and folders of these are read as their learner means them."""

from __future__ import annotations

import html
import os
from pathlib import Path

import pytest

from grader.submission import find_submissions, load_submission
from tests.submitted import (
    ANSWER,
    EXERCISES,
    execute,
    notebook_json,
    write_notebook,
)

HEADED = "---\njupyter:\n  jupytext:\n    formats: md\n---\n\n# Mine\n\n"
IN_MARKDOWN = [
    ("softmax.md", f"{HEADED}```python\n{ANSWER}\n```\n\n```\ntensor(1.)\n```\n"),
    ("softmax.md", f"{HEADED}````{{code-cell}} ipython3\n:tags: [mine]\n{ANSWER}\n````\n"),
    ("softmax.md", f"{HEADED}```{{code-cell}}\n---\ntags: [a]\nwidth: 3px\n---\n{ANSWER}\n```\n"),
    ("softmax.md", f"{HEADED}```python\n1 / 0\n```\n```{{code-cell}}\n{ANSWER}\n```\n"),
    ("softmax.md", f"{HEADED}```python .noeval\n1 / 0\n```\n~~~python\n{ANSWER}\n~~~\n"),
    ("softmax.qmd", f"Prose\n\n```{{python}}\n{ANSWER}\n```\n```{{r}}\nx <- 1\n```\n"),
    ("softmax.qmd", f"```{{python}}\n{ANSWER}\n```\n```python\n1 / 0\n```\n"),
    ("softmax.Rmd", f"- here\n```{{python}}\n{ANSWER}\n```\n".replace("\n", "\n  ")),
    ("softmax.Rmd", f"```{{python, echo=FALSE}}\n{ANSWER}\n```\n"),
    ("softmax.Rmd", f"```{{python}}\n{ANSWER}\n```\n```{{python, eval=FALSE}}\n1 / 0\n```\n"),
    ("softmax.qmd", f"```{{python}}\n{ANSWER}\n```\n```{{python}}\n#| eval: false\n1 / 0\n```\n"),
    (
        "softmax.md",
        f"{HEADED}```{{code-cell}}\n{ANSWER}\n```\n"
        "```{code-cell}\n:tags: [hide-output, skip-execution]\n1 / 0\n```\n"
        "```{code-cell}\n---\ntags:\n- skip-execution\n---\n1 / 0\n```\n",
    ),
]


@pytest.mark.parametrize(("name", "text"), IN_MARKDOWN)
def test_a_notebook_saved_as_markdown(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    submission = load_submission(tmp_path, EXERCISES)
    assert [cell.source for cell in submission.cells] == [ANSWER]
    assert submission.problems == ()


def test_a_line_ends_where_python_ends_it(tmp_path: Path) -> None:
    code = "said = 'one\u2028line\x0c of text'"
    (tmp_path / "softmax.md").write_text(f"{HEADED}```python\n{code}\n```\n", encoding="utf-8")
    assert [cell.source for cell in load_submission(tmp_path, EXERCISES).cells] == [code]


def test_other_markdown_is_prose_and_no_learner(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(f"```python\n{ANSWER}\n```\n", encoding="utf-8")
    assert load_submission(tmp_path, EXERCISES).cells == ()
    assert list(find_submissions(tmp_path)) == []


def test_markdown_counts_where_nothing_else_is_handed_in(tmp_path: Path) -> None:
    fenced = f"```python\n{ANSWER}\n```".replace("\n", "\n  ")
    other = "````markdown\n```python\n1 / 0\n```\n````\n\n```\ntensor(1.)\n```"
    text = f"1. You asked:\n\n  {fenced}\n\n{other}\n"
    (tmp_path / "chat.md").write_text(text, encoding="utf-8")
    alone = load_submission(tmp_path, EXERCISES)
    assert [cell.source for cell in alone.cells] == [ANSWER]
    assert len(alone.problems) == 1 and alone.problems[0].startswith("chat.md: is no notebook; as ")
    (tmp_path / "a.py").write_text("import math\n", encoding="utf-8")
    beside = load_submission(tmp_path, EXERCISES)
    assert [cell.label for cell in beside.cells] == ["a.py"]
    assert len(beside.problems) == 1 and beside.problems[0].startswith(
        "chat.md, cell 1: holds soft"
    )


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ('<div class="highlight hl-ipython3"><pre><span></span>', "\n</pre></div>"),
        (
            '<DIV class="sourceCode cell-code"><pre class="sourceCode python"><code>',
            "</code></pre>",
        ),
    ],
)
def test_a_page_counts_where_nothing_else_is_handed_in(
    tmp_path: Path, before: str, behind: str
) -> None:
    """As nbconvert and Quarto show a notebook: an output, and fences in prose, are no cells."""
    code = html.escape(ANSWER).replace("def", "<span class='k'>def</span>")
    others = "<div class='highlight'><pre>1 / 0</pre></div><div><pre>tensor(1.)</pre></div>"
    (tmp_path / "04.html").write_text(f"{before}{code}{behind}{others}", encoding="utf-8")
    alone = load_submission(tmp_path, EXERCISES)
    assert [cell.source for cell in alone.cells] == [ANSWER.strip("\n")]
    assert len(alone.problems) == 1 and alone.problems[0].startswith("04.html: is no notebook; as ")
    assert list(find_submissions(tmp_path)) == []
    (tmp_path / "04.ipynb").write_text(notebook_json(ANSWER), encoding="utf-8")
    beside = load_submission(tmp_path, EXERCISES)
    assert [cell.notebook for cell in beside.cells] == ["04.ipynb"] and beside.problems == ()


@pytest.mark.parametrize(
    "odd",
    [
        "<![ x",
        "&#" + "9" * 5_000 + ";",
        "<a " + "b " * 2**20,
        "<![foo[ x ]]>",
        "<!doctype [",
        "<" * 99,
        "\0<!--",
    ],
)
def test_a_page_that_is_none_harms_nobody(tmp_path: Path, odd: str) -> None:
    (tmp_path / "04.html").write_text(odd, encoding="utf-8")
    assert load_submission(tmp_path, EXERCISES).problems


@pytest.mark.parametrize(
    ("others", "beside"),
    [
        ("env/lib/python3.12", "env/pyvenv.cfg"),
        ("env/Lib", "env/conda-meta/x.json"),
        ("env/site-packages", "env/x.log"),
    ],
)
def test_an_environment_beside_the_work_is_nobodys(
    tmp_path: Path, others: str, beside: str
) -> None:
    """Its libraries have answers of their own, and more files than are read."""
    libraries = tmp_path / others
    libraries.mkdir(parents=True)
    for number in range(250):
        (libraries / f"{number}.py").write_text(ANSWER, encoding="utf-8")
    (tmp_path / beside).parent.mkdir(exist_ok=True)
    (tmp_path / beside).write_text("{}", encoding="utf-8")
    for place in ("src", "env"):  # an environment may be made where the work is
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "mine.py").write_text(ANSWER, encoding="utf-8")
    work = load_submission(tmp_path, EXERCISES)
    assert {cell.notebook for cell in work.cells} == {"src/mine.py", "env/mine.py"}
    assert work.problems == ()


def test_of_too_many_files_notebooks_come_first_and_what_lies_on_top(tmp_path: Path) -> None:
    for name in ("a/b", "m", "z"):
        (tmp_path / name).mkdir(parents=True)
    for number in range(250):
        (tmp_path / "a" / "b" / f"{number}.py").write_text("1", encoding="utf-8")
    (tmp_path / "m" / "helper.py").write_text("1", encoding="utf-8")
    (tmp_path / "z" / "04.ipynb").write_text(notebook_json(ANSWER), encoding="utf-8")
    read = {cell.notebook for cell in load_submission(tmp_path, EXERCISES).cells}
    assert {"m/helper.py", "z/04.ipynb"} < read


def test_thousands_of_pictures_beside_the_work_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    for number in range(5_100):
        (tmp_path / "images" / f"{number}.png").touch()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "mine.py").write_text(ANSWER, encoding="utf-8")
    work = load_submission(tmp_path, EXERCISES)
    assert [cell.notebook for cell in work.cells] == ["src/mine.py"] and work.problems == ()


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


def test_json_is_a_notebook_where_it_holds_one(tmp_path: Path) -> None:
    files = {
        "04.json": notebook_json(ANSWER.replace("1", "2")),
        "04.ipynb": notebook_json(ANSWER),
        "cells.json": '{"cells": [1]}',
        "nbformat.json": '{"metadata": {}, "nbformat": 4, "scale": 1.0}',
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    found = load_submission(tmp_path, EXERCISES)
    assert [cell.notebook for cell in found.cells][-2:] == ["cells.json", "nbformat.json"]
    (said,) = found.problems
    assert said.startswith("04.ipynb.json: answers softmax otherwise than 04.ipynb, which counts")


def test_a_notebook_saved_as_json_is_a_learner_and_settings_are_nobody(tmp_path: Path) -> None:
    (tmp_path / "ann.json").write_text(notebook_json(ANSWER), encoding="utf-8")
    (tmp_path / "settings.json").write_text('{"metadata": {}}', encoding="utf-8")
    (found,) = find_submissions(tmp_path)
    assert (found.learner, found.path.name) == ("ann", "ann.json")
    alone = load_submission(found.path, EXERCISES)
    assert (alone.learner, alone.problems) == ("ann", ())
