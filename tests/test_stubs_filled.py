"""A stub that something else fills is an answer; one that nothing fills costs no run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from grader.candidate.records import Mark, Verdict
from grader.curriculum.course import course
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.limits import Limits
from grader.wall.zygote_client import Zygote
from tests.submitted import notebook_json, write_notebook

IMPORTS = "import torch"
STUB = "def softmax(x, dim):\n    raise NotImplementedError"
FIRST = "e = (x - x.amax(dim, keepdim=True)).exp()"
RIGHT = f"def softmax(x, dim=-1):\n    {FIRST}\n    return e / e.sum(dim, keepdim=True)"
MINE = RIGHT.replace("softmax", "mine")
METHOD = "class Mine:\n    @staticmethod\n    " + RIGHT.replace("\n", "\n    ")
SET_FREE = "globals().update({n: f.__func__ for n, f in vars(Mine).items() if n == 'softmax'})"

# What else is handed in, and the cells of a notebook that a kernel runs to a right softmax.
FILLED: Mapping[str, tuple[dict[str, str], tuple[str, ...]]] = {
    "methods, set free": ({}, (STUB, METHOD, SET_FREE)),
    "a template": (
        {},
        (STUB, f"T = {RIGHT.replace('softmax', 'NAME')!r}", "exec(T.replace('NAME', 'softmax'))"),
    ),
    "by the kernel": ({}, (STUB, MINE, "get_ipython().user_ns['softmax'] = mine")),
    "pushed": ({}, (STUB, MINE, "get_ipython().push({'softmax': mine})")),
    "a cell run by a cell": ({}, (STUB, f"get_ipython().run_cell({RIGHT!r})")),
    "in __main__": ({}, (STUB, MINE, "import __main__\n__main__.softmax = mine")),
    "written in two parts, beside an exercise that is not there": (
        {},
        (
            STUB,
            "%%writefile mine.py\nimport torch\nfrom kit.earlier import padding_mask",
            "import mine",
            f"%%writefile -a mine.py\n\n{RIGHT}",
            "import importlib\nimportlib.reload(mine)\nfrom mine import *",
        ),
    ),
    "written by open": (
        {},
        (
            STUB,
            f"with open('mine.py', 'w') as file:\n    file.write({RIGHT!r})",
            "from mine import *",
        ),
    ),
    "a text file": (
        {"own.txt": RIGHT},
        (STUB, "from pathlib import Path\nexec(Path('own.txt').read_text())"),
    ),
    "a text file, and no stub": ({"own.txt": RIGHT}, ("exec(open('own.txt').read())",)),
    "JSON, and no stub": (
        {"own.json": f'{{"own": ["import torch\\n{RIGHT}"]}}'.replace("\n", "\\n")},
        ("import json\nfor each in json.load(open('own.json'))['own']: exec(each)",),
    ),
    "an own notebook beside the course's": (
        {"own.ipynb": notebook_json(IMPORTS, METHOD, SET_FREE)},
        (STUB, "check(softmax)"),
    ),
}


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as made:
        yield made


def marked(examiner: Examiner, path: Path) -> Mark:
    (mark,) = examiner.mark(load_submission(path, syllabus().names), ["softmax"]).marks
    return mark


@pytest.mark.parametrize("habit", FILLED)
def test_a_stub_that_a_run_fills_is_an_answer(
    examiner: Examiner, tmp_path: Path, habit: str
) -> None:
    files, cells = FILLED[habit]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_notebook(tmp_path / "04.ipynb", IMPORTS, *cells)
    got = marked(examiner, tmp_path)
    assert (got.verdict, got.carried) == (Verdict.PASSED, ()), got


@pytest.mark.parametrize(
    ("method", "verdict"),
    [
        (METHOD.replace("exp", "sin"), Verdict.FAILED),
        (METHOD.replace(FIRST, "return torch.softmax(x, dim)"), Verdict.FAILED),
        (METHOD.replace("def softmax", "def other"), Verdict.NOT_STARTED),
    ],
)
def test_what_fills_a_stub_is_marked_as_any_answer(
    method: str, verdict: Verdict, examiner: Examiner, tmp_path: Path
) -> None:
    path = write_notebook(tmp_path / "04.ipynb", IMPORTS, STUB, method, SET_FREE)
    got = marked(examiner, path)
    assert (got.verdict, got.points) == (verdict, 0), got


def test_what_nobody_has_begun_is_not_run_as_a_whole() -> None:
    untouched = load_submission(course().notebooks, syllabus().names)
    assert all(map(untouched.stands_alone, syllabus().names))
