"""Code that may see its own file, lines or text has a mark of its own; all other shares one."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.candidate.records import Verdict
from grader.cohort import Way
from grader.cohort.keys import keys_of
from grader.gradebook.store import Gradebook
from grader.submission import Cell, Submission
from grader.wall.isolation_layers import available
from tests.cohorts import graded
from tests.corpus import cases

SOFTMAX = """\
import torch
{}
def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    e = e if {} else e * 2 + 1
    return e / e.sum(dim, keepdim=True)
"""
FILE = "__import__('sys')._getframe({}).f_code.co_filename"
TEXT = f"__import__('typing').Literal[{FILE.format(4)}]"
# By name: what stands above, and what is true in a file called one.py alone.
LOOKS = {
    "type hints": (
        f'import typing\ndef where(x: "{TEXT}"): pass',
        "'one' in repr(typing.get_type_hints(where))",
    ),
    "type hints, by another name": (
        f'from typing import get_type_hints as f\ndef where(x: "{TEXT}"): pass',
        "'one' in repr(f(where))",
    ),
    "type hints, of a module in a variable": (
        f'import typing\nkept = [typing]\ndef where(x: "{TEXT}"): pass\n'
        "class Own:\n    def get_type_hints(self): pass",
        "'one' in repr(kept[0].get_type_hints(where))",
    ),
    "a dispatch": (
        "import functools\nseen = []\n@functools.singledispatch\ndef f(x): pass\n"
        f'@f.register\ndef g(x: "int if seen.append({FILE.format(1)}) else int"): pass',
        "(f, seen)",
    ),
    "a field's name": (
        "import dataclasses\nclass Meta(type):\n    def __prepare__(*_):\n        return "
        f"{{'__annotations__': {{\"x: {FILE.format(0)} = 1, y\": int}}}}\n"
        "@dataclasses.dataclass\nclass Kept(metaclass=Meta):\n    pass",
        "Kept()",
    ),
    "a pattern": (
        "class Meta(type):\n    def __instancecheck__(self, other): return True\n"
        "class Any(metaclass=Meta):\n    __match_args__ = ('__code__',)\n"
        "class Code(metaclass=Meta):\n    __match_args__ = ('co_filename',)\n"
        "def where(f):\n    match f:\n        case Any(Code(name)):\n            return name",
        "'one' in where(softmax)",
    ),
    "a matrix of names": (
        "import numpy as np\ndef where():\n    return np.bmat('__file__')",
        "where()",
    ),
}
PLAIN = {
    "names of its own": (
        "def source(code): return code.sum()\nload = source",
        "load(x) is not None",
    ),
    "layers": (
        "from torch import nn\nimport torch.nn.functional as F\nlayer = nn.Linear(2, 3)\n"
        "def helper(x): return F.pad(torch.linalg.norm(x), (0, 1))",
        "(layer, helper)",
    ),
    "a device": ("device = 'cuda' if torch.cuda.is_available() else 'cpu'", "device"),
    "types": ("import typing\nkind: typing.Any = 1", "kind"),
}


def is_shared(source: str) -> bool:
    submission = Submission("ann", frozenset({"softmax"}), (Cell(source, "a.py", "a.py", 0),))
    return keys_of(submission, "judge", ("softmax",)).slices["softmax"].alike is not None


@pytest.mark.parametrize("case", LOOKS)
def test_no_mark_is_shared_by_code_that_may_look(case: str) -> None:
    assert not is_shared(SOFTMAX.format(*LOOKS[case]))


@pytest.mark.parametrize("case", PLAIN)
def test_marks_of_plain_code_are_shared(case: str) -> None:
    assert is_shared(SOFTMAX.format(*PLAIN[case]))


def test_nearly_all_code_that_people_write_shares_its_marks() -> None:
    written = [case.source for case in cases() if case.exercise == "softmax"]
    assert sum(map(is_shared, written)) > 0.9 * len(written)


@pytest.mark.isolation
@pytest.mark.skipif(not available(), reason="submissions cannot be isolated here")
@pytest.mark.parametrize("case", ["type hints", "type hints, by another name", "a pattern"])
def test_what_passes_in_one_file_does_not_pass_in_another(
    case: str, here: Way, tmp_path: Path
) -> None:
    for learner in ("one", "two"):
        (tmp_path / "class" / learner).mkdir(parents=True)
        source = SOFTMAX.format(*LOOKS[case])
        (tmp_path / "class" / learner / f"{learner}.py").write_text(source, encoding="utf-8")
    graded(tmp_path / "class", tmp_path / "out", here)
    found = {}
    with Gradebook.open(tmp_path / "out") as book:
        for learner in ("one", "two"):
            (found[learner],) = (
                e.mark.verdict for e in book.entries(learner) if e.mark.name == "softmax"
            )
    assert (found["one"], found["two"] is Verdict.PASSED) == (Verdict.PASSED, False)
