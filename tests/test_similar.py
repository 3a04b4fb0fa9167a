"""Copies are found however they are disguised; what all have in common is no copy."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from typer.testing import CliRunner

from grader.cli import app
from grader.curriculum.course import course as chosen_course
from grader.curriculum.references import reference_source
from grader.report.likeness import ClassPrints, Pair, fingerprints
from grader.submission import Unit
from tests.corpus import cases
from tests.marked import HOSTILE
from tests.pages import Page

NOTEBOOKS = chosen_course().notebooks

NAME = "MultiHeadAttention"
RIGHT = [case.source for case in cases() if case.exercise == NAME and case.right]
OWN = """
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    \"\"\"Mine.\"\"\"

    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads:
            raise ValueError("it does not divide")
        self.heads = config.num_attention_heads
        self.ask = nn.Linear(config.hidden_size, config.hidden_size)
        self.answer_and_say = nn.Linear(config.hidden_size, 2 * config.hidden_size, bias=False)
        self.last = nn.Linear(config.hidden_size, config.hidden_size)

    def cut(self, x):
        return x.unflatten(2, (self.heads, -1)).movedim(2, 1)

    def forward(self, hidden_state, mask=None):
        query = self.cut(self.ask(hidden_state))
        key, value = map(self.cut, self.answer_and_say(hidden_state).chunk(2, dim=2))
        width = query.size(3)
        scores = torch.einsum("bhqd,bhkd->bhqk", query * width**-0.5, key)
        if mask is not None:
            scores += torch.where(mask.unsqueeze(1) != 0, 0.0, torch.finfo(scores.dtype).min)
        mixed = torch.einsum("bhqk,bhkd->bqhd", scores.softmax(dim=3), value)
        return self.last(mixed.flatten(2))
"""
NAMES = ("hidden_state", "query", "key", "value", "scores", "mixed", "width", "cut", "ask", "last")


def disguised(source: str) -> str:
    """Other names, another order, no comments, no docstring, annotations."""
    for number, name in enumerate(NAMES):
        source = re.sub(rf"\b{name}\b", f"thing_{number}", source)
    tree = ast.parse(source.replace('    """Mine."""\n', ""))
    (made,) = (node for node in tree.body if isinstance(node, ast.ClassDef))
    made.body.reverse()
    return ast.unparse(tree).replace("mask=None", "mask: 'anything'=None")


def pairs_of(works: dict[str, str]) -> list[Pair]:
    prints = ClassPrints({})
    for learner, source in works.items():
        prints.add(learner, {NAME: (Unit(source, "cell 1", 1),)})
    return prints.pairs()


def run(folder: Path, page: Path | None = None) -> str:
    written = ["--out", str(page)] if page else []
    done = CliRunner(env={"COLUMNS": "120"}).invoke(app, ["similar", str(folder), *written])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_disguised_copy_comes_first_among_many_hands() -> None:
    works = {f"hand {number}": source for number, source in enumerate(RIGHT[:12])}
    found = pairs_of({**works, "ann": OWN, "bob": disguised(OWN)})
    assert found[0].learners == ("ann", "bob") and found[0].exercises[0].share == 1.0


def test_nothing_is_said_of_stubs_and_of_the_solution(tmp_path: Path) -> None:
    stubs = (NOTEBOOKS / "05_multi_head_attention.ipynb").read_text(encoding="utf-8")
    for learner in ("ann", "bob"):
        (tmp_path / f"{learner}.ipynb").write_text(stubs)
    for learner in ("cid", "dan"):
        (tmp_path / f"{learner}.py").write_text(reference_source(NAME))
    assert run(tmp_path).startswith("Of 4 submissions, no two are alike")


def test_what_most_of_the_class_share_is_no_copy() -> None:
    assert len(pairs_of(dict.fromkeys(("ann", "bob"), OWN))) == 1
    names = ("ann", "bob", "cid", "dan")
    assert not pairs_of({name: f"{OWN}\n{name} = 1\n" for name in names})


def test_equal_hand_ins_are_pairs_however_many_there_are() -> None:
    names = ("ann", "bob", "cid", "dan")
    found = pairs_of(dict.fromkeys(names, OWN))
    assert [each.learners for each in found] == [("ann", other) for other in names[1:]]
    short = "def MultiHeadAttention(x): return x + x\n"
    assert not pairs_of(dict.fromkeys(names, short)), "too short to say anything"


IDLE = "".join(f"        # thought {number}\n" for number in range(700))
PADDED = {
    "comments": (OWN.replace("        query =", f"{IDLE}        query =", 1),) * 2,
    "the name of an exercise": tuple(
        OWN.replace("Mine.", f"Mine.\n\ndef softmax(): {word}") for word in ("this", "that")
    ),
}


@pytest.mark.parametrize("case", PADDED)
def test_what_stands_around_code_hides_no_copy(case: str, tmp_path: Path) -> None:
    for learner, source in zip(("ann", "bob"), PADDED[case], strict=True):
        (tmp_path / f"{learner}.py").write_text(source, encoding="utf-8")
    page = tmp_path / "page.html"
    assert "1 pair is alike" in run(tmp_path, page)
    shown = Page(page.read_text(encoding="utf-8")).text
    assert "def cut(self, x):" in shown
    assert ("695 lines of comments, and blank ones, are not shown" in shown) == (case == "comments")


def test_whose_answer_is_too_long_to_be_compared_is_told(tmp_path: Path) -> None:
    for learner, number in (("ann", 1), ("bob", 2)):
        junk = "".join(f"        self.x = {number} + {line} * 2\n" for line in range(5_000))
        source = OWN.replace("        self.heads =", f"{junk}        self.heads =", 1)
        (tmp_path / f"{learner}.py").write_text(source, encoding="utf-8")
    said = " ".join(run(tmp_path).split())
    for learner in ("ann", "bob"):
        assert f"{learner}: not all of {NAME} is compared; it is too long." in said


def test_a_pair_stands_side_by_side_whatever_else_was_handed_in(tmp_path: Path) -> None:
    folder, page = tmp_path / "class", tmp_path / "page.html"
    folder.mkdir()
    name = HOSTILE[7].replace("/", "")
    (folder / f"{name}.py").write_text(OWN)
    (folder / "bob.py").write_text(disguised(OWN) + "\n# </pre><script>alert(1)</script>\n")
    for number, text in enumerate(
        (f"MultiHeadAttention = {'(' * 5000}", "x\x00y", "def MultiHeadAttention(:", "\ud800", "")
    ):
        (folder / f"odd {number}.py").write_bytes(text.encode("utf-8", "surrogatepass"))
    deep = "MultiHeadAttention = lambda x: " + "-" * 3000 + "x"
    (folder / "deep.py").write_text(deep)
    (folder / "no.zip").write_bytes(b"PK\x03\x04")
    said = run(folder, page)
    assert "Of 9 submissions, 1 pair is alike" in said and "This proves nothing" in said
    assert "=     def cut(self, x):" in said.replace("│", " ") or "= def cut(self, x):" in said
    shown = Page(page.read_text(encoding="utf-8"))
    assert "script" not in shown.tags and "proves nothing" in shown.text
    assert "def cut(self, x):" in shown.text and "MultiHeadAttention 100 %" in shown.text


@given(some.integers(0, 10**6))
def test_names_make_no_difference(number: int) -> None:
    tree = ast.parse(OWN)
    start = number % len(NAMES)
    order = (*NAMES[start:], *NAMES[:start])
    new = dict(zip(NAMES, (f"{name}_{number}" for name in order), strict=True))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = new.get(node.id, node.id)
        elif isinstance(node, ast.arg):
            node.arg = new.get(node.arg, node.arg)
    both = [fingerprints(Unit(each, "cell 1", 1)) for each in (OWN, ast.unparse(tree))]
    assert both[0].keys() == both[1].keys() != set()


@pytest.mark.parametrize("source", ["", "x", "def f(:", "x = " + "(" * 500, "1" * 100])
def test_what_is_too_short_or_no_code_has_none(source: str) -> None:
    assert not fingerprints(Unit(source, "cell 1", 1))
