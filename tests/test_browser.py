"""A learner in a browser, from `make start` on: one JupyterLab and one course for all chapters."""

from __future__ import annotations

import re
import tomllib
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser_card import look_at_cards_of_softmax
from tests.browser_live import type_a_sentence_and_touch_heads
from tests.browsing import (
    PATIENCE,
    begin,
    cell,
    checked,
    choose_theme,
    looked_at,
    needs_browser,
    open_chapter,
    restart,
    retype,
    run,
    save,
    shorten,
    wait_for_kernel,
)

pytestmark = needs_browser
VECTOR = "def sentence_vector(hidden_state: Tensor) -> Tensor:\n    return hidden_state"
SCORES = "def attention_scores(query: Tensor, key: Tensor) -> Tensor:\n    return query @ key"
QUESTION, ANSWER = "itself = predict(", "itself.beside("
CELLS = (
    *(QUESTION, ANSWER, "def attention_scores(", "check(attention_scores)", "heatmap(scores[0]"),
    *("view = neuron_view(", "progress()"),
)


def test_the_first_chapter_from_make_start_to_progress(
    page: Page, address: str, course: Path, tmp_path: Path
) -> None:
    page.goto(address, wait_until="domcontentloaded")
    expect(cell(page, "hidden_state = torch.tensor")).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)
    begin(page)
    stub, check = cell(page, "def sentence_vector("), cell(page, "check(sentence_vector)")
    card, hints = check.locator(".grader-card"), cell(page, "hint(sentence_vector)")

    run(check)
    expect(check).to_contain_text("'sentence_vector' is not defined", timeout=PATIENCE)
    run(stub)
    run(check)
    expect(card).to_contain_text("not started", timeout=PATIENCE)
    run(cell(page, "hidden_state = torch.tensor"))
    waiting = cell(page, "print(sentence_vector(hidden_state))")
    run(waiting)
    expect(waiting).to_contain_text("This cell waits for sentence_vector", timeout=PATIENCE)
    expect(waiting).not_to_contain_text("Traceback")
    run(hints)
    expect(hints).to_contain_text("Hints for sentence_vector", timeout=PATIENCE)

    retype(stub, f"{VECTOR}.sum(1)")
    run(check)
    expect(card).to_contain_text("failed sentence_vector", timeout=PATIENCE)
    expect(card).to_contain_text("It behaves like this:")
    expect(card.locator(".heat table")).to_have_count(3)
    looked_at(page, stub, tmp_path / "wrong")
    retype(stub, f"{VECTOR}.mean(1)")
    run(check)
    expect(card).to_contain_text("passed sentence_vector", timeout=PATIENCE)
    expect(card.locator(".whole")).to_contain_text("Chapter 00 is whole")
    looked_at(page, stub, tmp_path / "whole")
    kept = tomllib.loads((course / "progress.toml").read_text())["sentence_vector"]
    assert kept["verdict"] == "passed" and kept["tries"] == 2

    restart(page)
    begin(page)
    told = cell(page, "progress()")
    run(told)
    expect(told.locator(".grader-card")).to_contain_text("1 of 1", timeout=PATIENCE)
    expect(told).to_contain_text(", in chapter 01.")
    looked_at(page, told, tmp_path / "progress")
    save(page)
    shorten(course / "01_tokenization.ipynb", "def wordpiece_tokenize(")
    card.get_by_role("link", name="wordpiece_tokenize").click()
    expect(cell(page, "def wordpiece_tokenize(")).to_have_count(1, timeout=PATIENCE)
    assert len(page.context.pages) == 1


def test_mistakes_and_a_guess_that_survives_in_both_themes(
    page: Page, address: str, course: Path, tmp_path: Path
) -> None:
    shorten(course / "03_attention_scores.ipynb", *CELLS)
    open_chapter(page, address, "03_attention_scores")
    assert page.locator("#jp-main-dock-panel .jp-mod-dirty").count() == 0  # nobody touched it
    begin(page)
    stub, waiting = cell(page, "def attention_scores("), cell(page, "heatmap(scores[0]")
    question, answer = cell(page, QUESTION), cell(page, ANSWER)
    run(answer)  # the question was passed over
    expect(answer.locator(".guess")).to_contain_text("The dot product", timeout=PATIENCE)
    expect(answer).to_contain_text("Answer first")
    expect(answer).not_to_contain_text("NameError")
    for source in ("def attention_scores(", "words = ", "heatmap(scores[0]"):
        run(cell(page, source))
    expect(waiting).to_contain_text("This cell waits for attention_scores", timeout=PATIENCE)
    expect(waiting).to_contain_text("What you should see when attention_scores is written")

    card = checked(page, "attention_scores", f"{SCORES}.mT".replace("query @", "querry @"))
    expect(card.locator("strong").first).to_have_text("Did you mean query?", timeout=PATIENCE)
    expect(card.locator("code.own mark")).to_have_text("querry")
    expect(card.locator(".chips li")).to_have_text(["key [batch 2, key 5, d_k 7]"])
    expect(card.get_by_text("NameError")).to_be_hidden()
    looked_at(page, stub, tmp_path / "typo")
    checked(page, "attention_scores", f"{SCORES}.mT / (")
    expect(card).to_contain_text("does not parse", timeout=PATIENCE)
    expect(card).to_contain_text("Nothing was judged")
    expect(card.locator("pre")).to_contain_text("return query @ key.mT / (")
    checked(page, "attention_scores", SCORES)
    expect(card).to_contain_text("error attention_scores", timeout=PATIENCE)
    expect(card).to_contain_text("line 2")
    checked(page, "attention_scores", f"{SCORES}.mT")
    expect(card).to_contain_text("Nothing is scaled", timeout=PATIENCE)
    expect(card.locator("details.hint[open]")).to_have_count(0)
    run(cell(page, "check(attention_scores)"))
    expect(card).to_contain_text("The code is the same", timeout=PATIENCE)
    expect(card.locator("details.hint[open]")).to_have_count(1)

    for source in ("from kit.attention_view import", "view = neuron_view(", QUESTION):
        run(cell(page, source))
    frame = cell(page, "view = neuron_view(").locator("iframe")
    expect(frame).to_be_visible(timeout=PATIENCE)
    run(cell(page, "progress()"))
    expect(cell(page, "progress()").locator(".map")).to_be_visible(timeout=PATIENCE)
    choices = question.locator("input[type=radio]")
    expect(choices).to_have_count(4, timeout=PATIENCE)
    choose_theme(page, "JupyterLab Dark")
    looked_at(page, stub, tmp_path / "dark")
    frame.scroll_into_view_if_needed()
    expect(frame.content_frame.locator("svg").first).to_be_visible(timeout=PATIENCE)
    corner = frame.screenshot(path=tmp_path / "view_dark.png")
    assert brightness_of_corner(corner) < 60, "the frame is a white block"
    choose_theme(page, "JupyterLab Light")

    button = question.get_by_role("button", name="Commit to it")
    button.click()
    expect(question.get_by_role("status")).to_have_text(re.compile("Choose first"))
    choices.first.focus()
    page.keyboard.press("ArrowDown")  # which JupyterLab would take for the next cell
    expect(choices.nth(1)).to_be_checked()
    question.locator(".guess-why").fill("squares add up")
    button.click()
    told = "You: 28 (squares add up) ✗. Measured: 771. Nearest: 768 ✓"
    expect(answer).to_contain_text(told, timeout=PATIENCE)
    expect(question).to_contain_text("this guess stays")
    expect(choices).to_have_count(0)
    looked_at(page, question, tmp_path / "answered")

    save(page)
    open_chapter(page, address, "03_attention_scores")
    expect(answer).to_contain_text(told, timeout=PATIENCE)
    expect(answer).not_to_contain_text("widget")
    restart(page)
    expect(question).to_contain_text("this guess stays")
    begin(page)
    run(question)
    expect(question).to_contain_text("You: 28 (squares add up)", timeout=PATIENCE)
    (kept,) = tomllib.loads((course / "progress.toml").read_text())["guess"]
    assert kept["guess"] == "28" and kept["right"] == "768" and kept["outcome"] == "wrong"

    end = cell(page, "progress()")
    run(end)
    expect(end).to_contain_text("1 guess before measuring: 1 not right.", timeout=PATIENCE)
    expect(end).to_contain_text(told)
    expect(end.locator(".map .here")).to_contain_text("03 Attention scores")
    end.get_by_role("link", name="04 Softmax").click()
    expect(cell(page, "def softmax(")).to_have_count(1, timeout=PATIENCE)
    assert len(page.context.pages) == 1


def test_cards_of_softmax(page: Page, address: str, course: Path, tmp_path: Path) -> None:
    look_at_cards_of_softmax(page, address, course, tmp_path)


def test_a_sentence_is_typed_and_heads_are_touched_also_in_the_dark(
    page: Page, address: str, course: Path
) -> None:
    type_a_sentence_and_touch_heads(page, address, course)


def brightness_of_corner(png: bytes) -> int:
    """From 0, black, to 255."""
    return int(Image.open(BytesIO(png)).convert("L").getpixel((3, 3)))  # type: ignore[arg-type]
