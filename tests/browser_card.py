"""Chapter 04 in a browser, with every kind of card, a slider and a guess; holds no test."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browsing import (
    PATIENCE,
    begin,
    cell,
    checked,
    choose_theme,
    looked_at,
    open_chapter,
    retype,
    run,
    shorten,
)

SOFTMAX = """def softmax(x: Tensor, dim: int) -> Tensor:
    return (x - x.logsumexp(dim, keepdim=True)).exp()"""
SLIP = """def softmax(x: Tensor, dim: int) -> Tensor:
    exponentials = (x - x.amax(dim, keepdim=True)).exp()
    total = exponentials.sum(dim, keepdim=True) + 0.3
    return exponentials / total"""
LINE = "total = exponentials.sum(dim, keepdim=True) + 0.3"
UNSCALED = "def attention_scores(query, key):\n    return query @ key.mT"
ATTENTION = """def scaled_dot_product_attention(query, key, value, mask=None):
    scores = attention_scores(query, key)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(-1) @ value"""

CELLS = (
    *("def softmax(", "check(softmax)", "words = ", "interact(draw", "broken = predict("),
    *(
        "broken.beside(lost)",
        "Exercise 2 · `masked_softmax`",
        "def masked_softmax(",
        "def scaled_dot_product_attention(",
    ),
    "check(scaled_dot_product_attention)",
)


def look_at_cards_of_softmax(page: Page, address: str, course: Path, tmp_path: Path) -> None:
    saved(course / "03_attention_scores.ipynb", "def attention_scores(", UNSCALED)
    shorten(course / "04_softmax.ipynb", *CELLS, first="%env GRADER_LINE_SECONDS=60")
    open_chapter(page, address, "04_softmax")
    begin(page)
    stub, check = cell(page, "def softmax("), cell(page, "check(softmax)")
    card = checked(page, "softmax", SLIP)
    expect(card).to_contain_text("failed softmax", timeout=PATIENCE)
    try:
        expect(card.locator("code.own")).to_have_text(LINE, timeout=PATIENCE)
    except AssertionError:  # what is found too late on a busy machine is not told
        run(check)
        expect(card.locator("code.own")).to_have_text(LINE, timeout=PATIENCE)
    expect(card.locator("code.own mark")).to_have_text("0.3")
    expect(card).to_have_count(1)
    hints = card.locator("details.hint > summary")
    hints.first.click()
    expect(hints.nth(1)).to_be_visible()
    looked_at(page, stub, tmp_path / "late")

    for code, said in (
        ("input('dim? ')", "nobody does while code is checked"),
        ("exit()", "ends the whole program"),
        ("import os; os._exit(1)", "ends the whole program"),
        ("return softmax(x, dim)", "calls itself"),
    ):
        checked(page, "softmax", f"def softmax(x, dim):\n    {code}\n    return x")
        expect(card).to_contain_text(said, timeout=PATIENCE)
    expect(page.locator(".jp-Stdin")).to_have_count(0)

    retype(stub, SLIP)
    run(check)
    checked(page, "softmax", SOFTMAX)
    expect(card.locator("strong").first).to_contain_text("Passed ", timeout=PATIENCE)
    ways = card.locator("details.ways")
    expect(ways.locator("summary")).to_have_text("The reference, and 2 other ways to write it")
    expect(ways.locator("pre").first).to_be_hidden()
    ways.locator("summary").click()
    expect(ways.locator("pre")).to_have_count(3)
    looked_at(page, stub, tmp_path / "passed")
    choose_theme(page, "JupyterLab Dark")
    looked_at(page, stub, tmp_path / "passed_dark")
    choose_theme(page, "JupyterLab Light")

    for source in ("words = ", "interact(draw"):
        run(cell(page, source))
    output = cell(page, "interact(draw")
    expect(output).to_contain_text("Temperature 1.00", timeout=PATIENCE)
    handle = output.locator(".noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    expect(output).to_contain_text("Temperature 1.05", timeout=PATIENCE)
    expect(output.locator("img")).to_be_visible()
    question, answer = cell(page, "broken = predict("), cell(page, "broken.beside(lost)")
    expect(answer).not_to_contain_text("Measured")  # stored, and folded away
    run(question)
    choices = question.locator("input[type=radio]")
    expect(choices).to_have_count(4, timeout=PATIENCE)
    assert not any(choices.nth(number).is_checked() for number in range(4))
    run(answer)
    expect(answer).to_contain_text("Answer first", timeout=PATIENCE)
    expect(answer.get_by_text("Measured: 2")).to_be_hidden()
    printed = answer.locator(".jp-OutputArea-child", has_text="tensor(")
    expect(printed).to_be_hidden()  # it would tell the answer
    looked_at(page, question, tmp_path / "asked")
    answer.get_by_text("Show it without a guess").click()
    expect(printed).to_be_visible(timeout=PATIENCE)

    name = "scaled_dot_product_attention"
    carried = checked(page, name, ATTENTION)
    expect(carried).to_contain_text(f"passed {name}", timeout=PATIENCE)
    amber = carried.locator(".elsewhere")
    expect(amber).to_contain_text("With a right attention_scores this one passes")
    expect(amber).to_contain_text("Nothing is scaled")
    looked_at(page, cell(page, f"def {name}("), tmp_path / "elsewhere")
    expect(card).to_contain_text("passed softmax")  # no line of the code before came after it
    card.get_by_role("link", name="masked_softmax").click()
    expect(cell(page, "def masked_softmax(")).to_be_in_viewport(timeout=PATIENCE)


def saved(notebook: Path, part: str, source: str) -> None:
    """Put an answer into a notebook that is not open."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    code = [each for each in content["cells"] if each["cell_type"] == "code"]
    next(each for each in code if part in "".join(each["source"]))["source"] = source
    notebook.write_text(json.dumps(content), encoding="utf-8")
