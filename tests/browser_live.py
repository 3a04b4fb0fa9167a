"""A learner's own BERT in a browser: typed into, heads silenced and patched; holds no test."""

from pathlib import Path

import nbformat
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from scripts.notebook_outputs import METADATA
from tests.browsing import PATIENCE, cell, choose_theme, run, wait_for_kernel

SETUP = """
from kit import checkpoint, earlier, uses
from kit.live import Live
from kit.own_bert import hidden_states, own_bert
from kit.touched import Touched
import torch

model, vocab = own_bert(), checkpoint.load_vocab()
teach, _ = uses.lessons_and_exam(100, 1)
found = []
for ids, mask, at in uses.batches(teach, vocab):
    states = hidden_states(model, ids, mask)
    found.append(torch.stack([state[torch.arange(len(at)), at] for state in states]))
taught, kinds = torch.cat(found, 1), uses.labels_of(teach)
score = lambda layer, some: earlier.linear_probe(taught[layer], kinds, some, 30.0)
"""
SHOWN = """
touched = Touched(model, 12, earlier.patch_head, score)
Live(touched, vocab, "time flies like an arrow", "fruit flies like a banana")
"""


def type_a_sentence_and_touch_heads(page: Page, address: str, course: Path) -> None:
    """In a notebook of its own, also in the dark."""
    cells = [nbformat.v4.new_code_cell(source.strip()) for source in (SETUP, SHOWN)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=nbformat.from_dict(METADATA))
    nbformat.write(notebook, course / "live.ipynb")
    page.goto(f"{address.replace('00_start_here', 'live')}&reset", wait_until="domcontentloaded")
    expect(cell(page, "own_bert")).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)
    run(cell(page, "from kit.live"))
    live = cell(page, "touched = Touched")
    run(live)
    expect(words(live)).to_contain_text("“flies” in “time flies", timeout=PATIENCE)
    assert not {"changed", "silenced"} & set(words(live).inner_text().split())
    choose_theme(page, "JupyterLab Dark")
    button(live, "0.2").click()
    expect(button(live, "0.2 ✕")).to_be_visible(timeout=PATIENCE)
    page.set_viewport_size({"width": 700, "height": 1000})
    found = Axe().run(page, context=".widget-vbox")
    assert [each["id"] for each in found.response["violations"]] == []
    choose_theme(page, "JupyterLab Light")
    page.set_viewport_size({"width": 1300, "height": 1000})
    button(live, "0.2 ✕").click()
    expect(words(live)).not_to_contain_text("changed:", timeout=PATIENCE)

    button(live, "0.4").focus()
    page.keyboard.press("Space")
    expect(words(live)).to_contain_text("layer 0 head 4 silenced", timeout=PATIENCE)
    expect(words(live)).to_contain_text("changed:")
    expect(live.locator("svg polyline")).to_have_count(2)
    page.keyboard.press("Space")  # the focus stays, and the head speaks again
    expect(words(live)).not_to_contain_text("changed:", timeout=PATIENCE)

    button(live, "A click patches it from the other").click()
    button(live, "5.5").click()
    expect(words(live)).to_contain_text("layer 5 head 5 patched from “fruit", timeout=PATIENCE)
    expect(button(live, "5.5 ⇐")).to_be_visible()
    other = live.locator("input[type=text]").nth(1)
    other.fill("three flies")
    other.press("Enter")
    expect(words(live)).to_contain_text("cannot be computed: ValueError", timeout=PATIENCE)
    other.fill("those flies like an apple")
    other.press("Enter")
    expect(words(live)).to_contain_text("patched from “those flies", timeout=PATIENCE)
    button(live, "Undo all").click()
    expect(words(live)).not_to_contain_text("patched", timeout=PATIENCE)

    sentence = live.locator("input[type=text]").first
    sentence.fill("the old judge was very tired")
    sentence.press("Enter")
    expect(button(live, "judge")).to_be_visible(timeout=PATIENCE)
    button(live, "judge").click()
    expect(words(live)).to_contain_text("“judge” in “the old judge", timeout=PATIENCE)


def words(live: Locator) -> Locator:
    return live.locator(".live-words")


def button(live: Locator, name: str) -> Locator:
    return live.get_by_role("button", name=name, exact=True)
