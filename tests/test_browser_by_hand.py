"""The live report in a browser: each thing that a person does, two at once, and a learner."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from grader.gradebook.store import Gradebook
from grader.report.text import page_name
from grader.service.app import CheckerService
from grader.service.ledger import Ledger
from grader.service.live_report import LiveReport
from tests.browsing import ARGUMENTS, CHROMIUM
from tests.marked import gradebook, mark, recorded
from tests.test_live_report import NoMarking

INSIDE = """each => each.getBoundingClientRect().right
    <= each.closest(".hand").getBoundingClientRect().right"""
SOURCE = (("work.ipynb, cell 3", 7, "def softmax(x, dim):\n    return x"),)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


@dataclass(frozen=True)
class Served:
    """A checker with a report, and who may do what."""

    address: str
    marks: Path
    instructors: dict[str, str]  # their tokens
    learner: str  # ann's token


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    marks, report = tmp_path / "marks", LiveReport(tmp_path / "marks")
    names = ("ann", "bob", "</textarea><script>alert(1)</script>\x1b")
    rows = [recorded(name, [mark("softmax")]) for name in names]
    gradebook(
        marks,
        *(
            replace(
                row,
                entries=tuple(
                    replace(each, source=SOURCE if each.mark.checks else ()) for each in row.entries
                ),
            )
            for row in rows
        ),
    )
    with Ledger(tmp_path / "kept") as store:
        ann = store.enrol(["ann"])["ann"]
        instructors = {who: store.renew_instructor(who) for who in ("Dr B", "Dr C")}
        app = CheckerService(store, [NoMarking()], report=report).app()
        config = uvicorn.Config(app, port=0, lifespan="off", log_level="error")
        server = uvicorn.Server(config)
        listening = config.bind_socket()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        yield Served(address, marks, instructors, ann)
        server.should_exit = True
        thread.join()
    report.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


def signed_in(browser: Browser, served: Served, who: str, password: str = "") -> Page:
    login = {"username": "anybody", "password": password or served.instructors[who]}
    return browser.new_context(http_credentials=login).new_page()  # type: ignore[arg-type]


def points(served: Served) -> list[float]:
    with Gradebook.open(served.marks) as book:
        return [each.points for each in book.submissions()]


def test_an_instructor_comments_marks_and_answers(
    served: Served, browser: Browser, tmp_path: Path
) -> None:
    page = signed_in(browser, served, "Dr B")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{served.address}/report/exercises/softmax.html")
    # A whole group of equal answers: a comment on a line, then points.
    page.get_by_text("Comment on and mark all 3 of these").click()
    page.get_by_label("comment").fill('Where is <exp>? "Look"')
    page.get_by_label("where", exact=True).select_option("0|8")
    page.get_by_role("button", name="Write it").click()
    expect(page.locator("article")).to_contain_text("Dr B")
    expect(page.locator("article")).to_contain_text('Where is <exp>? "Look"')
    page.get_by_text("Comment on and mark all 3 of these").click()
    page.locator("input.points").fill("0.5")
    page.get_by_label("because").fill("a good start")
    page.get_by_role("button", name="Set them").click()
    expect(page.locator("article")).to_contain_text("Dr B set this to 0.5 points")
    assert points(served) == [0.5, 0.5, 0.5]
    # One learner: another comment, which is taken back, and points that are taken back.
    page.goto(f"{served.address}/report/learners/{page_name('ann')}")
    page.get_by_text("Comment, or set points").click()
    page.get_by_label("comment").fill("For you alone")
    page.get_by_role("button", name="Write it").click()
    expect(page.locator("section#softmax .said", has_text="For you alone")).to_have_count(1)
    page.get_by_text("Comment, or set points").click()
    page.get_by_role("button", name="For you alone").click()
    expect(page.locator("section#softmax .said", has_text="For you alone")).to_have_count(0)
    page.get_by_text("Comment, or set points").click()
    page.get_by_role("button", name="own points count again").click()
    expect(page.locator("section#softmax .said", has_text="set this to")).to_have_count(0)
    assert points(served)[:2] != [0.5, 0.5]
    # A request by the learner's own token, and its answer.
    asked = page.request.post(
        f"{served.address}/look-again",
        data={"exercise": "softmax", "text": "Please look </textarea><script>alert(1)</script>"},
        headers={"Authorization": f"Bearer {served.learner}"},
    )
    assert asked.ok
    page.goto(f"{served.address}/report/")
    expect(page.get_by_role("heading", name="Asked to look again")).to_be_visible(timeout=30_000)
    page.get_by_role("link", name="ann, softmax").click()
    page.get_by_label(re.compile("answer to")).fill("I have looked.")
    page.get_by_role("button", name="Answer").click()
    expect(page.locator("section#softmax")).to_contain_text("Dr B answers")
    page.get_by_text("Comment, or set points").click()
    for width in (1300, 400):
        page.set_viewport_size({"width": width, "height": 900})
        page.screenshot(path=tmp_path / f"hand_{width}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".hand textarea").first.evaluate(INSIDE)
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert said == []
    page.context.close()


def test_two_instructors_at_once_do_not_undo_each_other(served: Served, browser: Browser) -> None:
    pages = [signed_in(browser, served, who) for who in ("Dr B", "Dr C")]
    for page in pages:
        page.goto(f"{served.address}/report/learners/{page_name('bob')}")
        page.get_by_text("Comment, or set points").click()
        page.get_by_label("because").fill("seen")
    for page, given in zip(pages, ("1", "2"), strict=True):
        page.locator("input.points").fill(given)
        page.get_by_role("button", name="Set them").click()
    expect(pages[1].locator("body")).to_contain_text("Nothing was kept: Dr B has set points here")
    with Gradebook.open(served.marks) as book:
        assert {each.who for each in book.notes()} == {"Dr B"}
    for page in pages:
        page.context.close()


def test_a_learner_who_tries_the_same_is_refused(served: Served, browser: Browser) -> None:
    page = signed_in(browser, served, "Dr B", served.learner)
    answer = page.goto(f"{served.address}/report/learners/{page_name('ann')}")
    assert answer is not None and answer.status == 401
    page.set_content(
        f'<form method="post" action="{served.address}/report/hand">'
        '<input name="do" value="points">'
        '<input name="exercise" value="softmax"><input name="points" value="2">'
        "<button>Give me points</button></form>"
    )
    with page.expect_response(re.compile("/report/hand")) as refused:
        page.get_by_role("button").click()
    assert refused.value.status == 401
    page.context.close()
    # An instructor's own browser, sent there by a page of somebody else's.
    page = signed_in(browser, served, "Dr B")
    page.set_content(
        f'<form method="post" action="{served.address}/report/hand">'
        '<input name="do" value="points">'
        '<input name="exercise" value="softmax">'
        f'<input name="learner" value="{page_name("ann")}">'
        f'<input name="page" value="learners/{page_name("ann")}"><input name="points" value="2">'
        '<input name="reason" value="r"><button>A kitten</button></form>'
    )
    with page.expect_response(re.compile("/report/hand")) as refused:
        page.get_by_role("button").click()
    assert refused.value.status == 409
    page.context.close()
    assert points(served) == [0.0, 0.0, 0.0]
