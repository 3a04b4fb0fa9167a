"""A learner's JupyterLab and a browser in front of it, for tests; holds no test."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
ROOT = Path(__file__).resolve().parent.parent
SECOND = 1000  # Playwright counts in milliseconds
PATIENCE = 120 * SECOND  # a first import of PyTorch on a busy machine takes its time
TRIES = 3  # at a key that another cell may have taken
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDTHS = (700, 1300)
OURS = (".guess", ".guess-answer", ".grader-card", '[aria-label="What you should see"]')
# Of ours, what stands out of its frame and cannot be scrolled to.
CUT_OFF = """names => [...document.querySelectorAll(names)]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.outerHTML.slice(0, 99))"""

needs_browser = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a learner's own copy of the course will be."""
    return tmp_path_factory.mktemp("learner") / "my course"


@pytest.fixture(scope="module")
def address(course: Path) -> Iterator[str]:
    """What `make start` prints for somebody who has no copy yet; a kernel there knows no test."""
    port = free_port()
    command = [str(ROOT / "scripts" / "start.sh"), str(course), "--no-browser"]
    options = [f"--port={port}", "--ip=127.0.0.1"]
    ours = ("PYTEST_", "JUPYTER_PATH")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    environment = plain | {
        "GRADER_LINE_SECONDS": "0",  # where a line is wanted, its test says so to the kernel
        "JUPYTERLAB_WORKSPACES_DIR": str(course.parent / "workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(course.parent / "settings"),
        "PATH": f"{Path(sys.executable).parent}:{plain['PATH']}",
    }
    log = course.parent / "log"
    with log.open("w") as written:
        server = subprocess.Popen(
            [*command, *options], env=environment, stdout=written, stderr=written
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/api", server)
            (printed, *_) = re.findall(rf"http://127\.0\.0\.1:{port}/\S+", log.read_text())
            yield printed
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """A browser at that address; a request to anywhere else fails the test."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        elsewhere: list[str] = []
        page.on("request", lambda request: note(request.url, elsewhere))
        yield page
        browser.close()
        assert elsewhere == []


def open_chapter(page: Page, address: str, name: str) -> None:
    """Open a chapter in the same JupyterLab, until its kernel waits."""
    page.goto(f"{address.replace('00_start_here', name)}&reset", wait_until="domcontentloaded")
    expect(cell(page, "from grader import check")).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)


def shorten(notebook: Path, *parts: str, first: str = "") -> None:
    """Leave a chapter's imports and the cells that hold one of these: a long page is a slow one.

    Its imports begin with the line `first`.
    """
    content = json.loads(notebook.read_text(encoding="utf-8"))
    parts = ("from grader import check", *parts)
    content["cells"] = [
        each for each in content["cells"] if any(part in "".join(each["source"]) for part in parts)
    ]
    if first:
        content["cells"][0]["source"] = [f"{first}\n", *content["cells"][0]["source"]]
    notebook.write_text(json.dumps(content), encoding="utf-8")


def begin(page: Page) -> None:
    """Run a chapter's imports, to the end."""
    imports = cell(page, "from grader import check")
    run(imports)
    expect(imports.locator(".jp-InputPrompt")).to_have_text(
        re.compile(r"\[\d+\]:"), timeout=PATIENCE
    )


def restart(page: Page) -> None:
    """Restart the kernel, as with the keys of JupyterLab."""
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    page.keyboard.press("0")
    page.locator(".jp-Dialog .jp-mod-accept").click()
    wait_for_kernel(page)


def save(page: Page) -> None:
    """Save the notebook in front, to the end."""
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    expect(page.locator(".jp-mod-dirty")).to_have_count(0, timeout=PATIENCE)


def wait_for_kernel(page: Page) -> None:
    """Until the kernel has nothing to do."""
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle", timeout=PATIENCE)


def choose_theme(page: Page, name: str) -> None:
    """As by hand: Settings, Theme, and its name."""
    page.get_by_role("menuitem", name="Settings").click()
    page.locator(".lm-Menu-item", has_text="Theme").first.hover()
    page.locator(".lm-Menu-item", has_text=name).first.click()
    light = "false" if "Dark" in name else "true"
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light, timeout=PATIENCE)


def cell(page: Page, source: str) -> Locator:
    """The code cell of the notebook in front whose source holds a text."""
    front = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell")
    return front.filter(has=page.locator(".jp-InputArea", has_text=source)).first


def click_into(code_cell: Locator) -> None:
    """Click into a cell, which takes the keys also where the page moved under the click."""
    editor = code_cell.locator(".jp-InputArea .cm-content")
    editor.click()
    editor.focus()
    expect(code_cell).to_have_class(re.compile("jp-mod-active"), timeout=PATIENCE)
    expect(code_cell.locator(".cm-focused")).to_have_count(1, timeout=PATIENCE)


def run(code_cell: Locator) -> None:
    """Click into a cell and press Shift + Enter."""
    prompt = code_cell.locator(".jp-InputPrompt")
    before = prompt.inner_text(timeout=PATIENCE)
    for _ in range(TRIES):
        click_into(code_cell)
        code_cell.page.keyboard.press("Shift+Enter")
        # What ran just before may select the cell below it in this moment: that one has the key.
        with suppress(AssertionError):
            expect(prompt).not_to_have_text(before, timeout=10 * SECOND)
            return
    raise AssertionError(f"Shift + Enter was pressed {TRIES} times, and the cell did not run")


def retype(code_cell: Locator, source: str) -> None:
    """Replace what a cell holds, as by typing, and run it."""
    click_into(code_cell)
    code_cell.page.keyboard.press("Control+A")
    code_cell.page.keyboard.insert_text(source)
    run(code_cell)


def checked(page: Page, name: str, source: str) -> Locator:
    """The card of an exercise that is typed in and checked."""
    kind = "class" if name[0].isupper() else "def"
    retype(cell(page, f"{kind} {name}("), source)
    check = cell(page, f"check({name})")
    run(check)
    return check.locator(".grader-card")


def looked_at(page: Page, top: Locator, path: Path) -> None:
    """At each width nothing of ours is cut off, and a screen reader misses nothing.

    With PICTURES in the environment there are pictures too: pytest --basetemp=DIR keeps them.
    """
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 1000})
        if "PICTURES" in os.environ:
            top.evaluate("each => each.scrollIntoView({block: 'start'})")
            page.screenshot(path=path.with_name(f"{path.name}_{width}.png"))
        assert page.evaluate(CUT_OFF, ", ".join(OURS)) == []
    shown = [each for each in OURS if page.locator(each).count()]
    found = Axe().run(page, context={"include": [[each] for each in shown]})
    assert found.violations_count == 0, found.generate_report()


def note(url: str, elsewhere: list[str]) -> None:
    if not url.startswith(("http://127.0.0.1:", "ws://127.0.0.1:", "data:", "blob:", "about:")):
        elsewhere.append(url)


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Until the server answers."""
    for _ in range(240):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                json.load(answer)
                return
        except OSError:
            assert server.poll() is None, "JupyterLab ended by itself"
            time.sleep(0.5)
    raise AssertionError("JupyterLab does not answer")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
