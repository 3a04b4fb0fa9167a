"""What runs before a function is called counts too; what a notebook compares with does not."""

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
from tests.submitted import write_notebook

IMPORTS = (
    "import math, threading\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F"
)
HIDDEN = "READY = getattr(F, 'ge' + 'lu')"
BY_HAND = "def READY(x):\n    return x * (1 + torch.erf(x / math.sqrt(2))) / 2"
TABLE = """
def tabulated(ready):
    grid = torch.linspace(-14.0, 14.0, 2**21 + 1, dtype=torch.float64)
    values = ready(grid)
    return values, torch.cat([values.diff(), values.new_zeros(1)])
"""
LOOKED_UP = """
def gelu(x):
    values, slopes = {table}
    inner = x.double().clamp(-14.0, 14.0 - 1e-9)
    at = ((inner.detach() + 14.0) * (2**21 / 28.0)).long()
    inside = values[at] + ((inner + 14.0) * (2**21 / 28.0) - at) * slopes[at]
    return torch.where(x > 13, x.double(), inside).to(x.dtype)
"""
# How the table is made, where no slice of `gelu` has it; and where the function finds it.
AROUND = {
    "by globals()": ("globals()['KEPT'] = tabulated(READY)", "globals()['KEPT']"),
    "on a module": ("setattr(torch, 'kept', tabulated(READY))", "torch.kept"),
    "in a thread": (
        "it = threading.Thread(target=lambda: setattr(torch, 'kept', tabulated(READY)))\n"
        "it.start()\nit.join()",
        "torch.kept",
    ),
}
LOADED = {
    "a constant": ("KEPT = tabulated(READY)", "KEPT"),
    "a default": ("def kept(it=tabulated(READY)):\n    return it", "kept()"),
}
COMPARES = "x = torch.linspace(-3, 3, 7)\nprint((F.gelu(x) - nn.GELU()(x)).abs().max())"


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as made:
        yield made


def marked(examiner: Examiner, path: Path, *cells: str, exercise: str = "gelu") -> Mark:
    return marked_each(examiner, path, *cells, exercises=[exercise])[0]


def marked_each(
    examiner: Examiner, path: Path, *cells: str, exercises: list[str]
) -> tuple[Mark, ...]:
    notebook = write_notebook(path / "06.ipynb", IMPORTS, *cells)
    return examiner.mark(load_submission(notebook, syllabus().names), exercises).marks


@pytest.mark.parametrize("case", [*AROUND, *LOADED])
def test_a_table_of_what_is_ready_made_is_no_answer(
    examiner: Examiner, tmp_path: Path, case: str
) -> None:
    made, table = (AROUND | LOADED)[case]
    got = marked(examiner, tmp_path, HIDDEN, TABLE, made, LOOKED_UP.format(table=table))
    assert (got.verdict, got.points) in ((Verdict.FAILED, 0), (Verdict.ERROR, 0)), got


@pytest.mark.parametrize("case", [*AROUND, *LOADED])
def test_a_table_of_ones_own_is_right_beside_cells_that_compare(
    examiner: Examiner, tmp_path: Path, case: str
) -> None:
    made, table = (AROUND | LOADED)[case]
    cells = (COMPARES, BY_HAND, TABLE, made, LOOKED_UP.format(table=table), COMPARES)
    got = marked(examiner, tmp_path, *cells)
    assert got.verdict is Verdict.PASSED, got


# Another exercise, which may use what `gelu` may not, and is asked first in a run of the notebook.
ANOTHER = """
def sentence_vector(hidden_state):
    if not torch.kept:
        torch.kept["table"] = {made}
    return hidden_state.mean(1)
"""
KEPT = "setattr(torch, 'kept', {})"
OWN = "setattr(torch, 'own', lambda x: x * (1 + torch.erf(x / math.sqrt(2))) / 2)"
BY_OWN = "def gelu(x):\n    return torch.own(x)"
# What the other one does, how `gelu` is computed then, and whether it passes.
OF_ANOTHER = {
    "a table": (HIDDEN, "tabulated(READY)", LOOKED_UP.format(table="torch.kept['table']"), False),
    "its own": (BY_HAND, "tabulated(READY)", LOOKED_UP.format(table="torch.kept['table']"), True),
    "nothing": (HIDDEN, "READY(hidden_state)", BY_OWN, True),
}


@pytest.mark.parametrize("case", OF_ANOTHER)
def test_what_another_exercises_call_has_made_is_no_answer_where_it_is_ready_made(
    examiner: Examiner, tmp_path: Path, case: str
) -> None:
    ready, made, gelu, passes = OF_ANOTHER[case]
    cells = (ready, TABLE, KEPT, OWN, ANOTHER.format(made=made), gelu)
    names = ["sentence_vector", "gelu"]
    first, got = marked_each(examiner, tmp_path, *cells, exercises=names)
    assert first.verdict is Verdict.PASSED and first.is_whole, first
    assert (got.verdict is Verdict.PASSED, got.points > 0) == (passes, passes), got


def test_what_is_ready_made_counts_where_an_object_is_made_with_it(
    examiner: Examiner, tmp_path: Path
) -> None:
    cell = """
ready = getattr(F, "layer_" + "norm")
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.kept = ready(torch.ones(3), (3,))
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps
    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return self.weight * x / (x.square().mean(-1, keepdim=True) + self.eps).sqrt() + self.bias
"""
    got = marked(examiner, tmp_path, cell, exercise="LayerNorm")
    assert (got.verdict, got.points) == (Verdict.FAILED, 0), got


EVERYDAY = {
    "compiled": "@torch.compile(backend='aot_eager')",
    "scripted": "@torch.jit.script",
    "mapped": "@torch.func.vmap",
}


@pytest.mark.parametrize("case", EVERYDAY)
def test_what_pytorch_runs_for_itself_is_nobodys_shortcut(
    examiner: Examiner, tmp_path: Path, case: str
) -> None:
    """Its compilers, its maps and its devices without numbers come by much of its own Python."""
    helper = "def steps(x: torch.Tensor):\n    e = (x - x.amax(-1, keepdim=True)).exp()"
    helper = f"{EVERYDAY[case]}\n{helper}\n    return e / e.sum(-1, keepdim=True)"
    cell = (
        "def softmax(x, dim):\n    x = x.movedim(dim, -1)\n"
        "    return steps(x.reshape(-1, x.shape[-1])).reshape(x.shape).movedim(-1, dim)"
    )
    got = marked(examiner, tmp_path, helper, cell, exercise="softmax")
    assert got.verdict is Verdict.PASSED, got
