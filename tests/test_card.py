"""What a learner sees of `check`, `hint` and `progress`, as text and as HTML."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

import grader
from grader.candidate.records import Verdict
from grader.curriculum import hints
from grader.curriculum.course import course
from grader.curriculum.syllabus import syllabus
from grader.notebook import api
from grader.notebook.cards import Card, Notice
from grader.notebook.progress_file import FILE, Remembered, recall, remember
from tests.marked import HOSTILE, mark
from tests.pages import ACTIVE, ALLOWED, Page, html

IN_CARDS = {"article", "code", "div", "kbd", "ol", "pre", "progress", "tbody", "thead"}


def right_causal_mask(seq_len: int) -> Tensor:
    return torch.ones(seq_len, seq_len).tril().bool()


def wrong_causal_mask(seq_len: int) -> Tensor:
    return torch.ones(seq_len, seq_len).triu().bool()


for _function in (right_causal_mask, wrong_causal_mask):
    _function.__name__ = "causal_mask"


def test_a_right_answer_passes() -> None:
    card = grader.check(right_causal_mask)
    first, second, *_ = repr(card).splitlines()
    assert first == "✓ causal_mask: passed, 1 of 1 points"
    assert second.startswith("  Passed on the first try. ")
    assert "✓ passed causal_mask" in Page(html(card)).text


def test_a_wrong_answer_is_told_where_it_differs() -> None:
    card = grader.check(wrong_causal_mask)
    text, page = repr(card), Page(html(card)).text
    assert "✗ causal_mask: failed" in text and "✗ failed causal_mask" in page
    for shown in (text, page):
        assert shown.count("Think about: ") == 1
        assert "expected" in shown and "yours" in shown
    assert "hint(causal_mask)" in text and "Stuck? A hint (1 of 3)" in page
    differ = r"\d+ of \d+ numbers differ, for example at row 0 and column 1: 0 was expected"
    assert re.search(differ, page)


def test_every_part_of_a_mark_is_shown_in_words() -> None:
    card = Card(mark(said="here", carried=("gelu",)))
    assert repr(card).splitlines() == [
        "✗ softmax: failed, 0 of 2 points",
        "  Elsewhere: With a right gelu this one passes: no points are lost here.",
        "  here",
        "  It behaves like this: It sums over here.",
        "  ✗ does not hold yet: Values: here",
        "      index   expected  yours",
        "      [0, 1]  1         here",
        "  Think about: What does here do?",
        "  1 more check fails in the same way. Fix this first, then check again. "
        "What is asked there:",
        "    Gradients flow.",
        "  ‖ 1 check could not be tried yet: here",
        "  ✓ passed: Rows sum to 1.",
    ]
    page = Page(html(card))
    for said in (
        "✗ failed softmax",
        "does not hold yet: Values: here",
        "1 more check fails in the same way. Fix this first",
        "blocked: Masks",
    ):
        assert said in page.text
    assert {("scope", "col"), ("aria-hidden", "true")} <= page.attributes
    assert "caption" in page.tags


def test_a_card_needs_no_front_end_of_its_own() -> None:
    shown = html(Card(mark(said="here")))
    assert "<script" not in shown
    named = re.findall(r"var\((--(?:jp|vscode)-[\w-]+)(.)", shown)
    assert named and all(then == "," for _, then in named)  # each has what stands in for it


def test_the_same_mistake_again_says_more_and_asks_nothing_twice() -> None:
    first, again, third = (repr(grader.check(wrong_causal_mask)) for _ in range(3))
    steps = hints.steps("causal_mask")
    assert "Think about: " in first and steps[0] not in first
    assert "The code is the same as at the last check" in again and steps[0] in again
    assert "Think about: " not in again
    assert steps[1] in third and steps[0] not in third

    def causal_mask(seq_len: int) -> Tensor:
        return torch.ones(seq_len, seq_len).triu() > 0

    changed = repr(grader.check(causal_mask))
    assert "The same mistake for the fourth time" in changed
    assert "mistake" not in repr(grader.check(right_causal_mask))
    assert steps[0] not in repr(grader.check(wrong_causal_mask))


def test_a_card_names_what_comes_next() -> None:
    grader.check(right_causal_mask)
    assert "Next: spot_attention_scores · Chapter 03: 1 of 5" in repr(
        grader.check(right_causal_mask)
    )
    passed = Remembered(Verdict.PASSED, 1.0)
    chapter = [each.name for each in syllabus().exercises if each.chapter.startswith("03")]
    api._memory.checked.update(dict.fromkeys(chapter, passed))
    assert "Next: softmax in chapter 04 · Chapter 03: 5 of 5" in repr(
        grader.check(right_causal_mask)
    )


def test_hints_are_markdown_and_no_html() -> None:
    page = html(Notice("Hints", ("Which *axis* of `[2, 3]`?", "<b>bold</b> [x](http://x.y)")))
    assert "<em>axis</em>" in page and "<code>[2, 3]</code>" in page
    assert "<b>" not in page and "<a " not in page


def test_a_stub_has_a_card_of_three_lines() -> None:
    def causal_mask(seq_len: int) -> Tensor:
        raise NotImplementedError

    head, reason, after = repr(grader.check(causal_mask)).splitlines()
    assert head == "· causal_mask: not started, 0 of 1 points"
    assert "still raises NotImplementedError" in reason
    assert after == "  Stuck? hint(causal_mask) · Chapter 03: 0 of 5"
    page = Page(html(grader.check(causal_mask)))
    assert "error" not in page.text and "Stuck? A hint (1 of 3)" in page.text


@pytest.mark.parametrize("said", HOSTILE, ids=ascii)
def test_nothing_in_a_mark_acts(said: str) -> None:
    for shown in (Card(mark(said=said)), Notice("title", (said,))):
        page = Page(html(shown))
        assert page.tags <= ALLOWED | IN_CARDS
        assert not {name for name, _ in page.attributes if name.startswith("on")}
        assert not ACTIVE.search(page.text)
    assert not ACTIVE.search(repr(Card(mark(said=said))))


def test_what_is_no_exercise_is_told_kindly() -> None:
    def sofmax(x: Tensor) -> Tensor:
        return x

    assert "Did you mean softmax" in repr(grader.check(sofmax))
    assert "check(softmax)" in repr(grader.check("softmax"))
    assert "There are: sentence_vector, " in repr(grader.check("zzz"))
    assert "This is Tensor and no function" in repr(grader.check(torch.ones(2)))
    assert "'<lambda>'" in Page(html(grader.check(lambda x: x))).text


def test_hints_come_one_by_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(api, "steps", lambda name: ("a?", "b", "c") if name == "softmax" else ())
    first, second, third, fourth = (repr(grader.hint("softmax")) for _ in range(4))
    assert "1. a?" in first and "2. b" not in first and "gives the next of 3" in first
    assert "2. b" in second and "3. c" not in second
    assert "3. c" in third and "That was the last." in third
    assert fourth == third
    assert "has no hints" in repr(grader.hint("gelu"))
    assert "No exercise is called" in repr(grader.hint("zzz"))


def test_the_hints_of_the_course_are_three_each_and_no_answer() -> None:
    for name in course().data("hints.toml"):
        steps = hints.steps(name)
        assert name in syllabus().names
        assert len(steps) == 3
        assert not any("return " in step for step in steps)


def test_progress_knows_this_kernel_and_the_saved_notebooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work.py").write_text(
        "def softmax(x, dim):\n    raise NotImplementedError\n\n\ndef gelu(x):\n    return x\n"
    )
    monkeypatch.chdir(tmp_path)
    grader.check(right_causal_mask)
    states = {row.exercise.name: row.state for row in grader.progress().rows}
    assert states["causal_mask"] == str(Verdict.PASSED)
    assert states["softmax"] == "not started"
    assert states["gelu"] == "written, not checked yet"
    assert states["encode"] == "not in this folder's notebooks"
    assert "causal_mask" in repr(grader.progress())
    assert "1 of 5" in Page(html(grader.progress())).text


def test_progress_is_kept_beside_the_notebooks(tmp_path: Path) -> None:
    (tmp_path / "03_attention_scores.ipynb").write_text('{"cells": []}')
    passed = mark("causal_mask", Verdict.PASSED, 1.0)
    remember(tmp_path, mark())
    remember(tmp_path, passed)
    remember(tmp_path / "elsewhere", passed)  # no notebooks, no file
    assert [each.name for each in tmp_path.iterdir()] == ["03_attention_scores.ipynb", FILE]
    shown = api.overview(tmp_path)
    states = {row.exercise.name: row for row in shown.rows}
    assert states["causal_mask"].has_passed and states["causal_mask"].day
    assert states["softmax"].state == "failed"
    assert "Next: attention_scores, in chapter 03." in repr(shown)
    assert re.search("03 Attention scores .*1 of 5 exercises, 1 of 9 points", repr(shown))
    (tmp_path / "work.py").write_text("def gelu(x):\n    return x\n")
    remember(tmp_path, mark("gelu", Verdict.NOT_STARTED, 0.0))  # before it was written
    states = {row.exercise.name: row for row in api.overview(tmp_path).rows}
    assert states["gelu"].state == "written, not checked yet"
    for broken in ("[", "[causal_mask]\nverdict = 3", "causal_mask = 1"):
        (tmp_path / FILE).write_text(broken)
        assert not any(row.verdict for row in api.overview(tmp_path).rows)
    remember(tmp_path, passed)
    assert recall(tmp_path).keys() == {"causal_mask"}


def test_importing_check_is_quick() -> None:
    """Not even PyTorch, which the notebook imports anyway, is imported for it."""
    code = (
        "import sys; from grader import check, hint, progress; print('torch' in sys.modules, "
        "'pytest' in sys.modules, 'rich' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False False False\n"


def test_a_notebook_loads_the_checks_in_the_background_and_draws_nothing() -> None:
    code = """
import torch
from ipykernel.kernelapp import IPKernelApp
IPKernelApp.instance()
torch.manual_seed(0)
before = torch.get_rng_state()
from grader import check
from grader.notebook import api
def causal_mask(seq_len):
    return torch.ones(seq_len, seq_len).tril().bool()
[thread] = api._preparing
print(check(causal_mask).mark.verdict, thread.is_alive())
print(torch.equal(before, torch.get_rng_state()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "passed False\nTrue\n", done.stderr
