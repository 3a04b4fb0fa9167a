"""Right work keeps its points however its author works: odd helpers, own modules, things shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.candidate.records import Mark, Verdict
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.limits import Limits
from grader.wall.zygote_client import Zygote
from tests.own_modules import FOLDERS
from tests.submitted import write_notebook
from tests.working_habits import IMPORTS, NOTEBOOKS, RIGHT


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as made:
        yield made


def marked(examiner: Examiner, path: Path, name: str) -> Mark:
    submission = load_submission(path, syllabus().names)
    found = {each.name: each for each in examiner.mark(submission).marks}
    return found[name]


@pytest.mark.parametrize("habit", NOTEBOOKS)
def test_a_notebook_is_what_a_kernel_would_have_run(
    examiner: Examiner, tmp_path: Path, habit: str
) -> None:
    cells = NOTEBOOKS[habit]
    name = "masked_softmax" if any("masked_softmax" in cell for cell in cells) else "softmax"
    got = marked(examiner, write_notebook(tmp_path / "04.ipynb", IMPORTS, *cells), name)
    assert (got.verdict, got.carried) == (Verdict.PASSED, ()), got


@pytest.mark.parametrize("habit", FOLDERS)
def test_modules_of_the_submission_itself(examiner: Examiner, tmp_path: Path, habit: str) -> None:
    files, cells = FOLDERS[habit]
    for name, text in files.items():
        (tmp_path / "ann" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ann" / name).write_text(text)
    write_notebook(tmp_path / "ann" / "04.ipynb", IMPORTS, *cells)
    got = marked(examiner, tmp_path / "ann", "softmax")
    assert (got.verdict, got.carried) == (Verdict.PASSED, ()), got


@pytest.mark.parametrize(
    "cells",
    [
        ("steps = {}\nsteps.setdefault('f', torch.softmax)", "softmax = steps['f']"),
        ("globals()['softmax'] = torch.softmax",),
        ("%%writefile mine.py\nfrom torch import softmax", "from mine import softmax"),
        ("exec('from torch import softmax')",),
        (
            "d = {}\n[d.update(f=torch.nn.functional.softmax) for _ in 'x']",
            "def softmax(x, dim=-1):\n    return d['f'](x, dim)",
        ),
    ],
)
def test_ready_made_pieces_are_found_in_all_that_ran(
    examiner: Examiner, tmp_path: Path, cells: tuple[str, ...]
) -> None:
    got = marked(examiner, write_notebook(tmp_path / "04.ipynb", IMPORTS, *cells), "softmax")
    assert got.points == 0 and got.verdict is not Verdict.PASSED, got


def test_what_the_course_lends_under_another_name_is_nobodys_answer(
    examiner: Examiner, tmp_path: Path
) -> None:
    """`softmax = earlier.softmax` in a later notebook: the answer is the one in its own chapter."""
    (tmp_path / "ann").mkdir()
    write_notebook(tmp_path / "ann" / "04.ipynb", IMPORTS, RIGHT)
    write_notebook(
        tmp_path / "ann" / "05.ipynb",
        IMPORTS,
        "from kit.earlier import softmax as lent\nsoftmax = lent",
    )
    got = marked(examiner, tmp_path / "ann", "softmax")
    assert (got.verdict, got.carried) == (Verdict.PASSED, ()), got


def test_a_script_is_read_in_the_encoding_that_it_declares(
    examiner: Examiner, tmp_path: Path
) -> None:
    code = f"# -*- coding: latin-1 -*-\n{IMPORTS}\nlänge = 1.0\n{RIGHT}"
    (tmp_path / "04.py").write_text(code, encoding="latin-1")
    assert marked(examiner, tmp_path / "04.py", "softmax").verdict is Verdict.PASSED


def test_wrong_work_fails_by_both_ways(examiner: Examiner, tmp_path: Path) -> None:
    path = write_notebook(
        tmp_path / "04.ipynb",
        IMPORTS,
        "d = {}\n[d.update(one=1.0) for _ in 'x']",
        "def softmax(x, dim=-1):\n    return d['one'] * torch.exp(x)",
        "print(torch.softmax(torch.ones(3), -1))",
    )
    got = marked(examiner, path, "softmax")
    assert got.verdict is Verdict.FAILED and got.diagnosis, got
