"""Cards and reports in a browser: no fault that axe-core knows, nothing overflows, all is found."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from grader.candidate.message import Place, say
from grader.candidate.records import CheckOutcome, Location, Mark, Verdict
from grader.diagnosis.picture import picture_of
from grader.notebook.api import overview
from grader.notebook.cards import Card, Next, Notice
from grader.notebook.passing import Earned, WholeChapter
from grader.report.class_report import page_name, write_report
from grader.report.likeness import Alike, Pair
from grader.report.pairs import Beside, ShownPair, Side, similar_page
from grader.submission import Unit
from tests.browsing import ARGUMENTS, CHROMIUM
from tests.marked import HOSTILE, gradebook, mark, recorded

# Long, hostile, and from right to left.
NAMES = (*HOSTILE[7:9], "x" * 300, "עדה לאבלייס", "نور", "Ann Lee", "Björn", "Zoë")
PLACE = Place("04_softmax.ipynb, cell 7", 3)
CODE = (
    "def softmax(x, dim):",
    "    powers = x.exp()",
    f"    return powers / {'+'.join(['1'] * 90)}",
)
RAISED = Location(
    *("raised", PLACE.label, 3, CODE[2].strip()),
    f"Line 3 raised it: {CODE[2].strip()}",
    part="powers",
    stood=("powers [batch 2, seq 3]", "dim = -1"),
    words="Did you mean `power`? Nothing is called `powers` here.",
)
WHOLE = WholeChapter("04", "Softmax", ("softmax", "gelu"), 9.0, 7, (("03", True), ("04", False)))
VIEWS = ((1300, "light"), (1300, "dark"), (400, "dark"))

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


def drawn(said: str) -> Mark:
    """A failed mark with a heat map, a line of code and a long text."""
    failed = mark(said=said)
    expected = torch.arange(15).reshape(1, 3, 5) / 14
    picture = picture_of(expected.flip(-1), expected, 1e-5, {"query": 3, "key": 5})
    checks = tuple(
        replace(check, picture=picture, message=say("It is reversed ({}).", PLACE))
        if check.outcome is CheckOutcome.FAILED
        else check
        for check in failed.checks
    )
    return replace(failed, checks=checks, message="")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The address of a page with every kind of card, and of each kind of page of a report."""
    folder = tmp_path_factory.mktemp("report")
    submissions = []
    for number, name in enumerate(NAMES):
        learner = name.encode("utf-8", "backslashreplace").decode()
        known = recorded(
            learner,
            [
                mark(verdict=Verdict.PASSED, points=2.0) if number > 5 else drawn(learner),
                mark("gelu", Verdict.CRASHED, said=learner),
                mark("attention_scores", Verdict.PARTIAL, 1.0, said=learner),
                mark("encode", Verdict.PASSED, 3.0, carried=("pad_batch",)),
            ],
            [f"{learner} cannot be read"] if number % 3 == 0 else [],
        )
        source = ((PLACE.label, 1, "\n".join(CODE)),)
        entries = tuple(
            replace(each, source=source if each.mark.checks else ()) for each in known.entries
        )
        submissions.append(replace(known, entries=entries))
    write_report(gradebook(folder, *submissions))
    next_ = Next(hints=("Which axis?", "The last."), current="04", done=1, of=4)
    shown = [
        Card(
            mark(verdict=Verdict.PASSED, points=2.0),
            next=Next(name="gelu", chapter="06", link="06_feed_forward.ipynb"),
            earned=Earned(3, "It bends.", (("The reference", CODE[2]),), WHOLE),
        ),
        Card(replace(mark(verdict=Verdict.ERROR), diagnosis=(), location=RAISED)),
        Card(drawn("x" * 300), ("A note.",), ("printed",), 1, ("Think of `[2, 3]`.",), next_),
        *(Card(mark(verdict=verdict), next=next_) for verdict in Verdict),
        Notice("Hints for softmax", ("1. Which *axis*?", "2. `[2, 3]`")),
        overview(folder),
    ]
    html = "".join(each._repr_html_() for each in shown)
    head = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Cards</title>'
    head += (
        '<meta name="viewport" content="width=device-width"><main><h1>1</h1><h2>2</h2><h3>3</h3>'
    )
    (folder / "cards.html").write_text(head + html, encoding="utf-8")
    (folder / "similar.html").write_text(_similar(), encoding="utf-8")
    report = (folder / "report").as_uri()
    return {
        "card": (folder / "cards.html").as_uri(),
        "similar": (folder / "similar.html").as_uri(),
        "class": f"{report}/index.html",
        "exercise": f"{report}/exercises/softmax.html",
        "learner": f"{report}/learners/{page_name(NAMES[3])}",
    }


def _similar() -> str:
    """A page of two pairs, one with long names and lines."""
    units = (Unit("\n".join(CODE), PLACE.label, 1), Unit("SCALE = 1", PLACE.label, 9))
    side = Side(units, {replace(PLACE, line=line) for line in (2, 3)})
    alike = Alike("softmax", 0.875, 7, 21.0)
    beside = Beside(alike, (side, side))
    names = (NAMES[2], NAMES[3]), (NAMES[0], NAMES[7])
    pairs = [ShownPair(Pair(both, (alike,)), (beside, beside)) for both in names]
    return similar_page(8, pairs, 3)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.mark.parametrize("name", ["card", "similar", "class", "exercise", "learner"])
def test_axe_finds_no_fault_and_nothing_overflows(
    name: str, pages: dict[str, str], browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(pages[name])
    unfold(page)
    for width, theme in VIEWS:
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": width, "height": 900})
        if "PICTURES" in os.environ:
            page.screenshot(path=tmp_path / f"{name}_{width}_{theme}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if width == VIEWS[0][0]:  # where there is room, a table need not be moved to be read
            moved = "each => each.scrollWidth - each.clientWidth"
            assert all(each.evaluate(moved) <= 0 for each in page.locator(".scroll").all())
        found = Axe().run(page)
        assert not found.violations_count, found.generate_report()
    assert said == []  # nothing that the page's own policy forbids
    page.close()


def test_numbers_on_paper_keep_the_ground_that_they_are_read_on(
    pages: dict[str, str], browser: Browser
) -> None:
    page = browser.new_page()
    page.emulate_media(media="print", color_scheme="dark")
    page.goto(pages["learner"])
    style = "each => getComputedStyle(each).printColorAdjust + getComputedStyle(each).colorScheme"
    assert page.locator(".heat td.v6").first.evaluate(style) == "exactlight"
    # What has passed takes a line, unless somebody has opened it; code would fill forty pages.
    page.goto(pages["learner"].replace(page_name(NAMES[3]), page_name(NAMES[7])))
    expect(page.locator("details#softmax summary")).to_be_visible()
    expect(page.locator("details#softmax mark, details#softmax pre").first).to_be_hidden()
    expect(page.locator("details#softmax .code")).to_have_count(1)
    page.close()


def test_anybody_is_found_in_a_class(pages: dict[str, str], browser: Browser) -> None:
    page = browser.new_page()
    page.goto(pages["class"])
    rows = page.locator("#rows tr:not([hidden])")
    expect(rows).to_have_count(len(NAMES))
    page.get_by_label("Find").fill("BJORN")
    expect(rows).to_have_count(1)
    expect(page.locator("#found")).to_have_text(f"1 of {len(NAMES)}")
    page.get_by_label("Find").fill("")
    page.get_by_label("who have").select_option("softmax")
    page.get_by_label("that is").select_option("passed")
    expect(rows).to_have_count(2)
    page.get_by_label("that is").select_option("failed")
    expect(rows).to_have_count(len(NAMES) - 2)
    page.get_by_label("who have").select_option("any exercise")
    page.get_by_label("that is").select_option("of any verdict")
    page.get_by_role("button", name="points").click()
    expect(rows.first.locator(".number")).to_have_text("6")
    page.get_by_role("button", name="points").click()
    expect(rows.first.locator(".number")).to_have_text("4")
    page.close()


def test_a_mistake_leads_to_a_line_of_code(pages: dict[str, str], browser: Browser) -> None:
    page = browser.new_page()
    page.goto(pages["class"])
    page.locator("a", has_text="softmax: who, and their lines").first.click()
    page.locator("#last_dim a", has_text="answer 1").click()
    expect(page.locator("#answer-1 mark")).to_contain_text("return powers /")
    page.locator("#answer-1 a").first.click()
    expect(page.locator("section#softmax mark")).to_contain_text("return powers /")
    page.get_by_role("link", name="The class").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Marks of the class")
    page.close()


@pytest.mark.parametrize("media", ["print", "screen"])
def test_no_name_of_a_learner_is_cut_off(media: str, browser: Browser, tmp_path: Path) -> None:
    write_report(gradebook(tmp_path, recorded("Anna-Maria von der Heide_5006", [mark()])))
    page = browser.new_page(viewport={"width": 400, "height": 900})
    page.emulate_media(media=media)  # type: ignore[arg-type]
    page.goto((tmp_path / "report" / "index.html").as_uri())
    hidden = "each => each.scrollHeight - each.clientHeight + each.scrollWidth - each.clientWidth"
    assert page.locator("#rows a").evaluate(hidden) <= 0
    page.close()


def test_without_scripts_the_class_is_a_table(pages: dict[str, str], browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(pages["class"])
    assert page.locator("#rows tr").count() == len(NAMES)
    assert not page.locator("#find").is_visible()
    context.close()


def unfold(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
