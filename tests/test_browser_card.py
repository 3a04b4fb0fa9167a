"""A learner's cards in a browser: what was meant, what a pass earns, and no cell that is locked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.test_browser import (
    CHROMIUM,
    LINE,
    PATIENCE,
    SLIP,
    SOFTMAX,
    address,
    cell,
    chapter,
    course,
    page,
    picture,
    retype,
    run,
)

__all__ = ["address", "course", "page"]  # fixtures
UNSCALED = "def attention_scores(query, key):\n    return query @ key.mT"
ATTENTION = """def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(-1) @ value"""

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


def checked(page: Page, name: str, source: str) -> Locator:
    """The card of an exercise that is typed in and checked."""
    retype(cell(page, f"def {name}("), source)
    check = cell(page, f"check({name})")
    run(check)
    return check.locator(".grader-card")


def test_what_was_meant_is_said_first(page: Page, address: str, tmp_path: Path) -> None:
    chapter(page, address, "03_attention_scores")
    stub = cell(page, "def attention_scores(")
    card = checked(page, "attention_scores", UNSCALED.replace("query @", "querry @"))
    expect(card.locator("strong").first).to_have_text("Did you mean query?", timeout=PATIENCE)
    expect(card.locator("code.own mark")).to_have_text("querry")
    expect(card.locator(".chips li")).to_have_text(["key [batch 2, key 5, d_k 7]"])
    expect(card.get_by_text("NameError")).to_be_hidden()
    picture(page, tmp_path / "typo.png", stub)
    found = Axe().run(page, context=".grader-card")
    assert not found.violations_count, found.generate_report()

    card = checked(page, "attention_scores", UNSCALED + " / (")
    expect(card).to_contain_text("does not parse", timeout=PATIENCE)
    expect(card).to_contain_text("Nothing was judged")
    expect(card.locator("pre")).to_contain_text("return query @ key.mT / (")
    picture(page, tmp_path / "no_python.png", stub)

    card = checked(page, "attention_scores", UNSCALED)
    expect(card).to_contain_text("Nothing is scaled", timeout=PATIENCE)
    for light in ("true", "false"):
        page.evaluate("it => document.body.setAttribute('data-jp-theme-light', it)", light)
        picture(page, tmp_path / f"light_{light}.png", stub)
        found = Axe().run(page, context=".grader-card")
        assert not found.violations_count, found.generate_report()


def test_an_early_mistake_stays_where_it_is(
    page: Page, address: str, course: Path, tmp_path: Path
) -> None:
    saved(course / "03_attention_scores.ipynb", "def attention_scores(", UNSCALED)
    chapter(page, address, "04_softmax")
    name = "scaled_dot_product_attention"
    card = checked(page, name, ATTENTION)
    expect(card).to_contain_text(f"passed {name}", timeout=PATIENCE)
    amber = card.locator(".elsewhere")
    expect(amber).to_contain_text("With a right attention_scores in place of yours")
    expect(amber).to_contain_text("Nothing is scaled")
    picture(page, tmp_path / "elsewhere.png", cell(page, f"def {name}("))


def test_no_code_locks_the_notebook(page: Page, address: str, tmp_path: Path) -> None:
    chapter(page, address, "04_softmax")
    stub, next_cell = cell(page, "def softmax("), cell(page, "words = ")
    for code, said in (
        ("input('dim? ')", "nobody does while code is checked"),
        ("exit()", "ends the whole program"),
        ("import os; os._exit(1)", "ends the whole program"),
    ):
        card = checked(page, "softmax", f"def softmax(x, dim):\n    {code}\n    return x")
        expect(card.locator("strong").first).to_be_visible(timeout=PATIENCE)
        expect(card).to_contain_text(said, timeout=PATIENCE)
        picture(page, tmp_path / f"{code[:4]}.png", stub)
        page.keyboard.press("Escape")
        before = next_cell.locator(".jp-InputPrompt").inner_text()
        run(next_cell)
        expect(next_cell.locator(".jp-InputPrompt")).not_to_have_text(before, timeout=PATIENCE)
    expect(page.locator(".jp-Stdin")).to_have_count(0)


def test_a_late_line_finds_its_card_and_a_newer_check_keeps_it_away(
    page: Page, address: str, tmp_path: Path
) -> None:
    chapter(page, address, "04_softmax")
    stub, check = cell(page, "def softmax("), cell(page, "check(softmax)")
    card = check.locator(".grader-card")
    retype(stub, SLIP)
    for _ in range(20):  # what is found too late on a busy machine is not told
        run(check)
        try:
            expect(card.locator("code.own")).to_have_text(LINE, timeout=5000)
            break
        except AssertionError:
            continue
    expect(card.locator("code.own mark")).to_have_text("0.3")
    picture(page, tmp_path / "late.png", stub)
    run(check)
    retype(stub, SOFTMAX)
    run(check)
    expect(card).to_contain_text("passed softmax", timeout=PATIENCE)
    page.wait_for_timeout(4000)  # until any line would have come
    expect(card).to_contain_text("passed softmax")


def test_a_pass_earns_something(page: Page, address: str, course: Path, tmp_path: Path) -> None:
    chapter(page, address, "04_softmax")
    stub = cell(page, "def softmax(")
    card = checked(page, "softmax", SOFTMAX)
    expect(card.locator("strong").first).to_contain_text("Passed on the", timeout=PATIENCE)
    ways = card.locator("details.ways")
    expect(ways.locator("summary")).to_have_text("The reference, and 2 other ways to write it")
    expect(ways.locator("pre").first).to_be_hidden()
    ways.locator("summary").click()
    expect(ways.locator("pre")).to_have_count(3)
    picture(page, tmp_path / "passed.png", stub)
    found = Axe().run(page, context=".grader-card")
    assert not found.violations_count, found.generate_report()
    card.get_by_role("link", name="masked_softmax").click()
    expect(cell(page, "def masked_softmax(")).to_be_in_viewport(timeout=PATIENCE)

    chapter(page, address, "00_start_here")
    stub = cell(page, "def sentence_vector(")
    card = checked(page, "sentence_vector", "def sentence_vector(h):\n    return h.mean(1)")
    expect(card.locator(".whole")).to_contain_text("Chapter 00 is whole", timeout=PATIENCE)
    picture(page, tmp_path / "whole.png", stub)
    card.get_by_role("link", name="split_words").click()
    expect(cell(page, "def split_words(")).to_have_count(1, timeout=PATIENCE)
    assert "tries = " in (course / "progress.toml").read_text(encoding="utf-8")


def saved(notebook: Path, part: str, source: str) -> None:
    """Put an answer into a notebook that is not open."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    code = [each for each in content["cells"] if each["cell_type"] == "code"]
    next(each for each in code if part in "".join(each["source"]))["source"] = source
    notebook.write_text(json.dumps(content), encoding="utf-8")
