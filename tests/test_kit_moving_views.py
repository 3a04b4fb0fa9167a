"""Alternatives to click and a slider through a training: in a real browser, by mouse and keys."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from playwright.sync_api import Frame, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
FLAGS += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
NAMES = ["<end>", "Mia", "saw", "Tom", "."]
IN_A_BROWSER = pytest.mark.skipif(
    CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """A page that may ask for nothing."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        yield page
        browser.close()
        assert all(url.startswith(("about:", "data:")) for url in asked), asked


@pytest.fixture
def text(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit.alternatives import alternatives

    chances = torch.tensor(
        [[0.0, 0.6, 0.0, 0.4, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0], [0.1, 0.3, 0.1, 0.4, 0.1]]
    )
    return alternatives(["Mia", "saw", "Tom"], chances, NAMES, best=3)


@pytest.fixture
def training(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit.scrub import scrub

    heads = {"layer 0 head 0": torch.eye(4).repeat(3, 1, 1)}
    heads["layer 1 head 0"] = torch.stack([torch.full((4, 4), 0.1 * step) for step in range(3)])
    scores = {head: [0.1, 0.2, 0.9] for head in heads}
    return scrub([0, 10, 20], {"again": [3.5, 3.0, 0.5]}, heads, list("abab"), scores)


def opened(page: Page, view: Any, light: bool = True) -> Frame:
    """The view on a page as light or dark as a notebook."""
    look = "color-scheme:light;background:#fff" if light else "color-scheme:dark;background:#111"
    page.set_content(f"<body style='margin:0;{look}'>{view._repr_mimebundle_()['text/html']}")
    handle = page.query_selector("iframe")
    assert handle is not None
    frame = handle.content_frame()
    assert frame is not None
    return frame


def test_a_text_says_the_same_in_words(text: Any) -> None:
    assert "least sure at word 3, “Tom”: Tom 0.40, Mia 0.30" in text.summary
    assert "Mia 0.60, Tom 0.40" in text.table


def test_a_training_says_the_same_in_words(training: Any) -> None:
    assert "again: from 3.50 at step 0 to 0.50 at 20" in training.summary
    assert "layer 1 head 0, score: from 0.10 at step 0 to 0.90 at 20" in training.summary
    assert "<td>10</td><td>3.00</td>" in training.table


def test_what_a_text_holds_cannot_leave_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit.alternatives import alternatives

    words = ["</script><b>", "<i>"]
    view = alternatives(words, torch.eye(2), words)
    assert "</script><b>" not in view._repr_mimebundle_()["text/html"]
    assert "&lt;i&gt;" in view.table


@pytest.mark.browser
@IN_A_BROWSER
def test_a_word_is_clicked_and_walked_to(page: Page, text: Any, tmp_path: Path) -> None:
    for light in (True, False):
        frame = opened(page, text, light)
        shown = frame.locator("#shown")
        expect(shown).to_contain_text("Word 3, “Tom”: what could have stood there")
        frame.get_by_role("button", name="Mia").click()
        expect(shown).to_contain_text("Mia (taken)0.60")
        page.keyboard.press("ArrowRight")
        expect(frame.get_by_role("button", name="saw")).to_be_focused()
        expect(frame.get_by_role("button", name="saw")).to_have_attribute("aria-pressed", "true")
        expect(shown).to_contain_text("saw (taken)1.00")
        page.screenshot(path=tmp_path / f"alternatives-{light}.png")
        shade = Image.open(tmp_path / f"alternatives-{light}.png").convert("L").getpixel((1, 1))
        assert shade == (255 if light else 17), "the frame lets the page's background through"


@pytest.mark.browser
@IN_A_BROWSER
def test_a_training_is_scrubbed_by_keys(page: Page, training: Any, tmp_path: Path) -> None:
    for light in (True, False):
        frame = opened(page, training, light)
        slider = frame.get_by_role("slider", name="saved step")
        said = frame.locator("output")
        expect(said).to_have_text("After 0 steps: again 3.50")
        before = ink(frame)
        slider.focus()
        page.keyboard.press("End")
        expect(said).to_have_text("After 20 steps: again 0.50")
        expect(slider).to_have_attribute("aria-valuetext", "After 20 steps: again 0.50")
        expect(frame.locator("figcaption").last).to_have_text("layer 1 head 0: score 0.90")
        assert ink(frame) > before
        page.screenshot(path=tmp_path / f"scrub-{light}.png")


def ink(frame: Frame) -> int:
    """How much is drawn in the last head's picture."""
    return int(
        frame.locator("figure canvas").last.evaluate(
            "it => it.getContext('2d').getImageData(0, 0, it.width, it.height).data"
            ".filter((value, place) => place % 4 === 3).reduce((sum, value) => sum + value, 0)"
        )
    )
