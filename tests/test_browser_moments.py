"""A learner's guesses, goals and map in a browser, after saving and reopening, in both themes."""

import json
import re
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.test_browser import (  # fixtures among them
    PATIENCE,
    address,
    begin,
    cell,
    chapter,
    course,
    page,
    picture,
    pytestmark,
    restart,
    run,
    wait_for_kernel,
)

__all__ = ["address", "course", "page", "pytestmark"]
WIDTHS = (1300, 700)
OURS = (".guess", ".guess-answer", ".grader-card", '[aria-label="What you should see"]')
QUESTION, ANSWER = "itself = predict(", "itself.beside("


@pytest.fixture
def dark(page: Page, address: str) -> Iterator[None]:
    """JupyterLab's dark theme, of pages that are opened from now on."""
    choose_theme(page, address, "JupyterLab Dark")
    yield
    choose_theme(page, address, "JupyterLab Light")


def test_a_guess_is_committed_to_and_survives(
    page: Page, address: str, course: Path, tmp_path: Path
) -> None:
    chapter(page, address, "03_attention_scores")
    assert not is_unsaved_on_opening(page, address)
    begin(page)
    question, answer = cell(page, QUESTION), cell(page, ANSWER)
    run(answer)  # the question was passed over
    expect(answer.locator(".guess")).to_contain_text("The dot product", timeout=PATIENCE)
    expect(answer).to_contain_text("Answer first")
    expect(answer).not_to_contain_text("NameError")
    run(question)
    choices = question.locator("input[type=radio]")
    expect(choices).to_have_count(4, timeout=PATIENCE)
    button = question.get_by_role("button", name="Commit to it")
    button.click()
    expect(question.get_by_role("status")).to_have_text(re.compile("Choose first"))
    looked_at(page, question, tmp_path / "asked")
    choices.nth(1).check()
    question.locator(".guess-why").fill("squares add up")
    button.click()
    told = "You: 28 (squares add up) ✗. Measured: 771. Nearest: 768 ✓"
    expect(answer).to_contain_text(told, timeout=PATIENCE)
    expect(question).to_contain_text("this guess stays")
    expect(choices).to_have_count(0)
    looked_at(page, question, tmp_path / "answered")

    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0, timeout=PATIENCE)
    question.locator(".jp-InputPrompt").click()
    restart(page)
    expect(question).to_contain_text("this guess stays")
    page.goto(f"{address.replace('00_start_here', '03_attention_scores')}&reset")
    expect(answer).to_contain_text(told, timeout=PATIENCE)
    expect(answer).not_to_contain_text("widget")
    wait_for_kernel(page)
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
    looked_at(page, end, tmp_path / "map")


def test_what_waits_keeps_its_goal_in_both_themes(
    page: Page, address: str, tmp_path: Path, dark: None
) -> None:
    chapter(page, address, "03_attention_scores")
    run(cell(page, "def attention_scores("))
    waiting = cell(page, "heatmap(scores[0]")
    for source in ("words = ", "heatmap(scores[0]"):
        run(cell(page, source))
    expect(waiting).to_contain_text("This cell waits for attention_scores", timeout=PATIENCE)
    expect(waiting).to_contain_text("What you should see when attention_scores is written")
    looked_at(page, waiting, tmp_path / "goal_dark")
    for source in (QUESTION, ANSWER, "progress()"):
        run(cell(page, source))
    end = cell(page, "progress()")
    expect(end.locator(".map")).to_be_visible(timeout=PATIENCE)
    looked_at(page, end, tmp_path / "map_dark")
    looked_at(page, cell(page, QUESTION), tmp_path / "guess_dark")
    end.get_by_role("link", name="04 Softmax").click()
    expect(page).to_have_url(re.compile("04_softmax"))
    assert len(page.context.pages) == 1


def test_attention_views_are_transparent_in_the_dark(
    page: Page, address: str, tmp_path: Path, dark: None
) -> None:
    chapter(page, address, "03_attention_scores")
    run(cell(page, "from kit.attention_view import"))
    view = cell(page, "view = neuron_view(")
    run(view)
    frame = view.locator("iframe")
    expect(frame).to_be_visible(timeout=PATIENCE)
    frame.scroll_into_view_if_needed()
    expect(frame.content_frame.locator("svg").first).to_be_visible(timeout=PATIENCE)
    looked_at(page, view, tmp_path / "view_dark")
    corner = frame.screenshot(path=tmp_path / "view.png")
    assert brightness_of_corner(corner) < 60, "the frame is a white block"


def is_unsaved_on_opening(page: Page, address: str) -> bool:
    """Whether JupyterLab marks a notebook that nobody has touched."""
    page.goto(f"{address.replace('00_start_here', '02_embeddings')}&reset")
    expect(cell(page, "from grader import check")).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)
    unsaved = page.locator("#jp-main-dock-panel .jp-mod-dirty").count() > 0
    page.goto(f"{address.replace('00_start_here', '03_attention_scores')}&reset")
    expect(cell(page, QUESTION)).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)
    return unsaved


def choose_theme(page: Page, address: str, name: str) -> None:
    """As its menu does it."""
    server, _, token = address.partition("?token=")
    settings = (
        f"{server.partition('/lab')[0]}/lab/api/settings/@jupyterlab/apputils-extension:themes"
    )
    raw = json.dumps({"theme": name})
    headers = {"Authorization": f"token {token}"}
    assert page.request.put(settings, headers=headers, data={"raw": raw}).ok


def looked_at(page: Page, top: Locator, path: Path) -> None:
    """A picture at each width; nothing of ours is cut off, and a screen reader misses nothing."""
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1000})
        picture(page, path.with_name(f"{path.name}_{width}.png"), top)
    page.set_viewport_size({"width": 1280, "height": 1000})
    shown = [each for each in OURS if page.locator(each).count()]
    if shown:
        found = Axe().run(page, context={"include": [[each] for each in shown]})
        assert found.violations_count == 0, found.generate_report()


def brightness_of_corner(png: bytes) -> int:
    """From 0, black, to 255."""
    return int(Image.open(BytesIO(png)).convert("L").getpixel((3, 3)))  # type: ignore[arg-type]
