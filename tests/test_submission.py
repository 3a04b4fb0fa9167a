"""Whatever is handed in is read within bounds, or said in words to be unreadable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from grader.curriculum.syllabus import syllabus
from grader.submission import load_submission
from tests.counted import peak_memory, within
from tests.submitted import ANSWER, EXERCISES, execute, notebook_json, write_notebook, write_zip

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
    assert "only data.csv, report.pdf, deep/notes.docx;" in said
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


MY_OWN = ANSWER.replace("softmax", "my_softmax")
USES = "def attention(x):\n    return my_softmax(x)"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ((MY_OWN,), "cell 1: my_softmax may be the answer to softmax, which is defined nowhere"),
        ((MY_OWN.replace("my_softmax", "SoftMax2"),), "SoftMax2 may be the answer to softmax"),
        ((MY_OWN.replace("my_softmax", "masked_softmax_v2"),), "to masked_softmax, which"),
        ((MY_OWN.replace("my_softmax", "mask_softmax"),), "mask_softmax may be the answer to"),
        ((MY_OWN, USES, "check(softmax)"), "my_softmax may be the answer to softmax"),
        (("# " + ANSWER.replace("\n", "\n# "),), "cell 1: holds softmax in a comment"),
        ((MY_OWN, USES), ""),  # what another answer calls
        ((MY_OWN, ANSWER), ""),
        (("# " + ANSWER.replace("\n", "\n# "), ANSWER), ""),
        ((MY_OWN, "softmax = my_softmax"), ""),
        (("def plot_softmax(x):\n    return x",), ""),
        (("def softmaximum(x):\n    return x",), ""),
        (("# def softmax(x): see the chapter",), ""),
        ((MY_OWN, "def softmax(:"), ""),  # which is said otherwise
    ],
)
def test_an_answer_under_another_name_or_in_a_comment_is_named(
    cells: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    found = load_submission(write_notebook(tmp_path / "ann.ipynb", *cells), EXERCISES)
    assert len(found.problems) == bool(said)
    assert said in "".join(found.problems)


def test_the_handed_out_notebooks_hold_nothing_under_another_name() -> None:
    for path in (Path(__file__).parents[1] / "notebooks").glob("*.ipynb"):
        assert not load_submission(path, syllabus().names).problems
