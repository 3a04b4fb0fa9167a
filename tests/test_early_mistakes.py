"""One rule for an early mistake: in a notebook's kernel, the terminal, a class and the checker."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grader.candidate.records import Mark, SubmissionMarks, mark_from_json
from grader.cli import app
from grader.cohort import Way
from grader.curriculum.course import course as chosen_course
from grader.curriculum.syllabus import syllabus
from grader.gradebook.store import Gradebook
from grader.marking.examiner import Examiner
from grader.notebook.cards import Card
from grader.submission import load_submission
from grader.wall.zygote_client import Zygote
from tests.bundles import ROOT
from tests.submitted import write_notebook

NOTEBOOKS = chosen_course().notebooks

TORCH = "import math\nimport torch\nfrom torch import nn"
PRODUCTS = "def attention_scores(query, key):\n    return query @ key.transpose(-2, -1)"
SCALED = f"{PRODUCTS} / math.sqrt(key.shape[-1])"
RAISES = "def attention_scores(query, key):\n    return query @ key[0, 'first'].T"
# It waits, and leaves the processor to other tests; whose code computes for ever is an attack's.
LOOPS = "import time\ndef attention_scores(query, key):\n    while True:\n        time.sleep(0.1)"
STUB = "def attention_scores(query, key):\n    raise NotImplementedError"
BORROWED = "from kit.earlier import attention_scores"
SOFTMAX = "def softmax(x, dim):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()"
OF_ALL = "def softmax(x, dim):\n    return (x - x.logsumexp((0, 1, 2), keepdim=True)).exp()"
MASKED = """def masked_softmax(scores, mask):
    return softmax(scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min), -1)"""
LENIENT = """def masked_softmax(scores, mask):
    if mask is not None:
        scores = scores.masked_fill(mask == 0, torch.finfo(scores.dtype).min)
    return softmax(scores, -1)"""
ATTENTION = """def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    weights = softmax(scores, -1) if mask is None else masked_softmax(scores, mask)
    return weights @ value"""
WITHOUT_VALUES = ATTENTION.replace("weights @ value", "weights")
TRUSTING = """def scaled_dot_product_attention(query, key, value, mask=None):
    return masked_softmax(attention_scores(query, key), mask) @ value"""
HEAD = """class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.maps = nn.ModuleList([nn.Linear(embed_dim, head_dim) for _ in range(3)])

    def forward(self, hidden_state, mask=None):
        query, key, value = (each(hidden_state) for each in self.maps)
        return scaled_dot_product_attention(query, key, value, mask)"""


@dataclass(frozen=True)
class Situation:
    """What a learner has saved and run; the last notebook is the one that is open."""

    exercise: str
    notebooks: dict[str, tuple[str, ...]]
    carried: tuple[str, ...] = ()
    verdict: str = "passed"
    said: str = ""  # what the card says of the earlier ones

    @property
    def cells(self) -> tuple[str, ...]:
        """Those that its learner has run."""
        return [*self.notebooks.values()][-1]


def attention(
    *scores: str, cells: tuple[str, ...] = (BORROWED, SOFTMAX, MASKED, ATTENTION), **more: Any
) -> Situation:
    """Attention in chapter 04, and this in chapter 03."""
    first = {"03_attention_scores.ipynb": (TORCH, *scores)} if scores else {}
    notebooks = {**first, "04_softmax.ipynb": (TORCH, *cells)}
    return Situation("scaled_dot_product_attention", notebooks, **more)


SCORES = ("attention_scores",)
UNSCALED = "Your attention_scores (03_attention_scores.ipynb, cell 2, line 1) behaves like this: "
SITUATIONS = {
    "right": attention(SCALED),
    "unscaled": attention(PRODUCTS, carried=SCORES, said=UNSCALED),
    "renamed": attention(
        PRODUCTS,
        cells=(
            f"{BORROWED} as scores_of",
            SOFTMAX,
            MASKED,
            ATTENTION.replace("attention_scores(", "scores_of("),
        ),
        carried=SCORES,
        said=UNSCALED,
    ),
    "raises": attention(RAISES, carried=SCORES, said="does not pass its own checks: error."),
    "loops": attention(LOOPS, carried=SCORES, said="Your attention_scores (03"),
    "stub": attention(STUB, carried=SCORES, said="Lent until it is written: attention_scores."),
    "missing": attention(),
    "two": attention(
        PRODUCTS,
        cells=(BORROWED, OF_ALL, MASKED, ATTENTION),
        carried=("attention_scores", "softmax"),
        said=UNSCALED,
    ),
    "here": attention(SCALED, cells=(BORROWED, OF_ALL, MASKED, ATTENTION), carried=("softmax",)),
    "redefined": attention(
        SCALED, cells=(BORROWED, SOFTMAX, OF_ALL, MASKED, ATTENTION), carried=("softmax",)
    ),
    "mended": attention(SCALED, cells=(BORROWED, OF_ALL, SOFTMAX, MASKED, ATTENTION)),
    "both wrong": attention(
        PRODUCTS, cells=(BORROWED, SOFTMAX, MASKED, WITHOUT_VALUES), verdict="failed"
    ),
    "our own do not fit": attention(
        PRODUCTS, cells=(BORROWED, SOFTMAX, LENIENT, TRUSTING), carried=SCORES, said=UNSCALED
    ),
    "our own do not fit, and one is a stub": attention(
        STUB,
        cells=(BORROWED, SOFTMAX, LENIENT, TRUSTING),
        carried=SCORES,
        said="Lent until it is written: attention_scores.",
    ),
    "two floors down": Situation(
        "AttentionHead",
        {
            "03_attention_scores.ipynb": (TORCH, PRODUCTS),
            "04_softmax.ipynb": (TORCH, BORROWED, SOFTMAX, MASKED, ATTENTION),
            "05_multi_head_attention.ipynb": (
                TORCH,
                "from kit.earlier import scaled_dot_product_attention",
                HEAD,
                "made_before = AttentionHead(8, 4)",
            ),
        },
        carried=SCORES,
        said=UNSCALED,
    ),
}
Marks = dict[str, dict[str, Mark]]  # by situation and surface
# A checker and a terminal mark as a class is marked: one situation for each that can come of it.
ALSO = ("right", "unscaled", "stub", "both wrong", "two floors down")

# Kernels, one after the other: each runs its cells, checks, and asks the checker about the same.
KERNELS = """
import gc, json, os, sys
from pathlib import Path
import torch
from IPython.core.interactiveshell import InteractiveShell
from kit import earlier
from grader.candidate.records import mark_to_json
from grader.notebook.bundle import remote_marking
from grader.notebook import api, in_process

torch.set_num_threads(1)
gc.freeze()
for name, (folder, cells, exercise, asks) in json.loads(sys.argv[1]).items():
    os.chdir(folder)
    api.forget()
    earlier.FOLDER = Path(folder)
    earlier._exercise.cache_clear()
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(user_ns={})
    for cell in cells:
        shell.run_cell(cell, store_history=True).raise_error()
    value, lent = shell.user_ns[exercise], api._memory.lent()
    before = {each: id(held) for each, held in shell.user_ns.items()}
    found = {"kernel": in_process.check_in_kernel(exercise, value, seconds=1.0, lent=lent)}
    assert before == {each: id(held) for each, held in shell.user_ns.items()}
    if asks:
        found["checker"] = remote_marking.check_in_kernel(exercise, value)
    marks = {surface: mark_to_json(each.mark) for surface, each in found.items()}
    (Path(sys.argv[2]) / f"{name}.json").write_text(json.dumps(marks))
"""


@pytest.fixture(scope="module")
def learners(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each situation, as its learner has it."""
    folder = tmp_path_factory.mktemp("learners")
    for name, situation in SITUATIONS.items():
        (folder / name).mkdir()
        for notebook, cells in situation.notebooks.items():
            write_notebook(folder / name / notebook, *cells)
    return folder


@pytest.fixture(scope="module")
def in_kernels(learners: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each kernel says, and the checker that it asks."""
    service = tmp_path_factory.mktemp("service")
    (service / "roster.csv").write_text("learner\nada\n", encoding="utf-8")
    command = [sys.executable, "-m", "grader", "serve", str(service / "kept"), "--port", "0"]
    command += ["--roster", str(service / "roster.csv"), "--checks-a-minute", "100"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as checker:
        assert checker.stdout is not None
        printed = ""
        while "Answering on" not in printed:
            printed += checker.stdout.readline()
            assert checker.poll() is None, printed
        (token,) = re.findall(r"^ada: (\S+)$", printed, re.MULTILINE)
        (port,) = re.findall(r"http://127\.0\.0\.1:(\d+)", printed)
        asked = {"GRADER_CHECKER": f"http://127.0.0.1:{port}", "GRADER_TOKEN": token}
        wanted = {
            name: (
                str(learners / name),
                [*each.notebooks.values()][-1],
                each.exercise,
                name in ALSO,
            )
            for name, each in SITUATIONS.items()
        }
        subprocess.run(
            [sys.executable, "-c", KERNELS, json.dumps(wanted), str(service)],
            env={
                **os.environ,
                **asked,
                "OMP_NUM_THREADS": "1",
                "PYTHONPATH": f"{ROOT}:{NOTEBOOKS}",
            },
            check=True,
            timeout=300,
        )
        checker.kill()
    return {name: json.loads((service / f"{name}.json").read_text()) for name in SITUATIONS}


@pytest.fixture(scope="module")
def marks(
    zygote: Zygote,
    here: Way,
    learners: Path,
    in_kernels: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> Marks:
    """What every surface says of every situation."""
    found: Marks = {
        name: {surface: mark_from_json(row) for surface, row in rows.items()}
        for name, rows in in_kernels.items()
    }
    out = tmp_path_factory.mktemp("class")
    command = ["grade", str(learners), "--out", str(out), "--timeout", "1"]
    assert CliRunner().invoke(app, command, obj=here).exit_code == 0
    with Gradebook.open(out) as book:
        for learner in book.submissions():
            found[learner.learner]["class"] = of(SITUATIONS[learner.learner], learner)
    with Examiner(source=zygote.clone()) as examiner:  # as `grader check` has it
        for name in ALSO:
            situation = SITUATIONS[name]
            submission = load_submission(learners / name, syllabus().names)
            marked = examiner.mark(submission, [situation.exercise])
            found[name]["terminal"] = of(situation, marked)
    return found


def of(situation: Situation, learner: SubmissionMarks) -> Mark:
    return next(mark for mark in learner.marks if mark.name == situation.exercise)


@pytest.mark.parametrize("name", SITUATIONS)
def test_every_surface_says_the_same(name: str, marks: Marks) -> None:
    situation = SITUATIONS[name]
    full = syllabus()[situation.exercise].points
    expected = (situation.verdict, full if situation.verdict == "passed" else 0, situation.carried)
    got = {where: (str(m.verdict), m.points, m.carried) for where, m in marks[name].items()}
    surfaces = {"kernel", "class", *(["terminal", "checker"] if name in ALSO else [])}
    assert got == dict.fromkeys(surfaces, expected)
    for where, mark in marks[name].items():
        card = repr(Card(mark))
        assert situation.said in card, where
        assert ("Elsewhere:" in card) is bool(situation.carried)
        if mark.verdict != "passed":  # its own mistake, and not that of another
            assert [found.id for found in mark.diagnosis] == ["returns_weights"], where
