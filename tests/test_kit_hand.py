"""Arrows that are moved solve puzzles, with the mouse and with keys, and `check` reads them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from grader import check

from .test_kit_share import CHROMIUM, NOTEBOOKS, page

__all__ = ["page"]  # a fixture

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="apt-get install chromium"),
]
HEAD = '<html lang="en"><meta charset="utf-8"><title>Arrows</title><body><main><h1>Arrows</h1>'


@pytest.fixture(scope="module")
def kit() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(NOTEBOOKS)
        yield import_module("kit.hand")


def opened(page: Page, hand: Any, folder: Path) -> None:
    """Show it as a notebook does; what it tells the kernel is kept in the page."""
    shown = hand._repr_mimebundle_()["text/html"]
    told = "window.courseTell = (box, data) => (window.told = data);"
    shown = shown.replace("</script>", f"{told}</script>", 1)
    path = folder / "hand.html"
    path.write_text(HEAD + shown, encoding="utf-8")
    page.goto(path.as_uri())


def moved(page: Page, kind: str, word: str, x: float, y: float) -> None:
    """Take an arrow's tip with the mouse and let it go at this place."""
    arrow = page.locator(f".arrow.{kind}").filter(has_text=word).first
    plane = arrow.locator("xpath=..").bounding_box()
    tip = arrow.locator("circle").bounding_box()
    assert plane is not None and tip is not None
    one = plane["width"] / 6.8
    page.mouse.move(tip["x"] + tip["width"] / 2, tip["y"] + tip["height"] / 2)
    page.mouse.down()
    page.mouse.move(plane["x"] + (x + 3.4) * one, plane["y"] + (3.4 - y) * one)
    page.mouse.up()


def solved(page: Page) -> list[bool]:
    said = page.locator(".done").all_inner_texts()
    return [text == "✓ solved" for text in said]


def test_scores(kit: Any, page: Page, tmp_path: Path) -> None:
    hand = kit.Hand("scores")
    opened(page, hand, tmp_path)
    assert solved(page) == [False, False]
    moved(page, "query", "flies", 1, 1)
    moved(page, "key", "time", 2, -2)
    assert solved(page) == [True, False]
    moved(page, "key", "time", 2.0, -1.2)
    moved(page, "key", "like", 1.2, 1.2)
    assert solved(page) == [False, True]
    assert page.evaluate("window.told.solved") == ["shorter_wins"]
    assert "best" in page.inner_text(".hand-said")


def test_weights_with_the_keyboard_alone(kit: Any, page: Page, tmp_path: Path) -> None:
    opened(page, kit.Hand("weights"), tmp_path)
    query = page.locator(".arrow.query")
    query.focus()
    assert query.get_attribute("aria-label") == "query of flies: 1.00, 1.00"
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowDown")
    assert query.get_attribute("aria-label") == "query of flies: 0.50, 0.90"
    page.get_by_label("hide [PAD]").press("Space")
    rows = page.locator("tbody tr").all_inner_texts()
    assert rows[3].split() == ["[PAD]", "-0.47", "0.00"]


def test_weights(kit: Any, page: Page, tmp_path: Path) -> None:
    opened(page, kit.Hand("weights"), tmp_path)
    page.get_by_label("hide [PAD]").check()
    moved(page, "query", "flies", 1, 0)
    moved(page, "key", "time", 1, 0.5)
    moved(page, "key", "like", 1, 1)
    moved(page, "key", "arrow", -3, 0)
    assert solved(page) == [True, False]
    page.get_by_label("temperature").fill("0.1")
    moved(page, "key", "arrow", 1.9, 0)
    assert solved(page) == [False, True]


def test_one_head_never_keeps_both(kit: Any, page: Page, tmp_path: Path) -> None:
    opened(page, kit.Hand("heads"), tmp_path)
    page.get_by_label("temperature").fill("0.1")
    moved(page, "query", "flies", 2, 0)
    places = {"time": (1, 1), "arrow": (1, -1), "like": (-2, 1), "[PAD]": (-2, -1)}
    for word, place in places.items():
        moved(page, "key", word, *place)
    assert solved(page) == [True, False]
    moved(page, "key", "arrow", -1, 0)
    page.get_by_label("a second head").check()
    page.get_by_label("show head 2").check()
    moved(page, "query", "flies", -2, 0)
    places = {"time": (2, 0), "arrow": (-2, 1), "like": (2, 1), "[PAD]": (2, -1)}
    for word, place in places.items():
        moved(page, "key", word, *place)
    assert solved(page) == [False, True]


@pytest.mark.parametrize("what", ["scores", "heads"])
def test_it_can_be_used_by_everybody(kit: Any, page: Page, tmp_path: Path, what: str) -> None:
    opened(page, kit.Hand(what), tmp_path)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_check_reads_what_is_solved(kit: Any, capsys: pytest.CaptureFixture[str]) -> None:
    hand = kit.Hand("weights")
    hand.told(["sure_and_short", "no such puzzle"])
    said = str(check(hand)) + capsys.readouterr().out
    assert "1 of 2 puzzles solved" in said
    assert "○ not yet: Let flies take half of time" in said and "✓ solved: Let flies" in said
