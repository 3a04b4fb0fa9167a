"""A learner in a browser: JupyterLab, chapter 04, a wrong softmax, its diagnosis, a right one."""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
SECOND = 1000  # Playwright counts in milliseconds
PATIENCE = 120 * SECOND  # a first import of PyTorch on a busy machine takes its time
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIGNATURE = "def softmax(x: Tensor, dim: int) -> Tensor:\n"
WRONG = SIGNATURE + "    powers = x.exp()\n    return powers / powers.sum(0, keepdim=True)"
RIGHT = SIGNATURE + "    return (x - x.logsumexp(dim, keepdim=True)).exp()"

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is missing: apt-get install chromium"),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copytree(NOTEBOOKS, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def address(course: Path) -> Iterator[str]:
    """JupyterLab on it, as `make start` serves it; a kernel there knows nothing of this test."""
    token, port = secrets.token_hex(8), free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    options = [f"--port={port}", "--ip=127.0.0.1", f"--IdentityProvider.token={token}"]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = plain | {"JUPYTERLAB_WORKSPACES_DIR": str(course / ".workspaces")}
    with (course / ".log").open("w") as log:
        server = subprocess.Popen(
            [*command, *options], cwd=course, env=environment, stdout=log, stderr=log
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/api/status?token={token}", server)
            yield f"http://127.0.0.1:{port}/lab/tree/04_softmax.ipynb?token={token}"
        finally:
            server.terminate()
            server.wait(30)


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Page]:
    """Chapter 04, open, with a kernel; a request to anywhere else fails the test."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        elsewhere: list[str] = []
        page.on("request", lambda request: note(request.url, elsewhere))
        page.goto(address, wait_until="domcontentloaded")
        expect(cell(page, "from grader import check")).to_be_visible(timeout=PATIENCE)
        expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle", timeout=PATIENCE)
        yield page
        browser.close()
        assert elsewhere == []


def test_a_wrong_softmax_is_diagnosed_and_a_right_one_passes(
    page: Page, course: Path, tmp_path: Path
) -> None:
    run(cell(page, "from grader import check"))
    stub, check = cell(page, "def softmax("), cell(page, "check(softmax)")
    card = check.locator(".grader-card")

    run(check)
    expect(check).to_contain_text("'softmax' is not defined", timeout=PATIENCE)
    run(stub)
    run(check)
    expect(card).to_contain_text("not started", timeout=PATIENCE)
    waiting = cell(page, "print(softmax(rows, dim=-1))")
    run(waiting)
    expect(waiting).to_contain_text("This cell waits for softmax", timeout=PATIENCE)
    expect(waiting).not_to_contain_text("Traceback")

    retype(stub, WRONG)
    run(check)
    expect(card).to_contain_text("failed softmax", timeout=PATIENCE)
    expect(card).to_contain_text("behaves like this")
    expect(card.locator(".heat table")).to_have_count(3)
    expect(card).to_contain_text("dimension 0")
    expect(card).to_contain_text("expected")  # where it differs first
    expect(card).not_to_contain_text("logsumexp")  # and no answer
    card.locator("h4").scroll_into_view_if_needed()
    picture(page, tmp_path / "wrong.png")

    retype(stub, RIGHT)
    run(check)
    expect(card).to_contain_text("passed softmax", timeout=PATIENCE)
    expect(card).to_contain_text("2 of 2 points")
    expect(card).to_contain_text("Next: masked_softmax")
    expect(card).to_contain_text("Chapter 04: 1 of 4")
    picture(page, tmp_path / "right.png")
    retype(check, "from grader import progress\nprogress()")
    overview = cell(page, "progress()").locator(".grader-card")
    expect(overview).to_contain_text("Next: masked_softmax, in chapter 04.", timeout=PATIENCE)
    picture(page, tmp_path / "progress.png")
    assert '[softmax]\nverdict = "passed"' in (course / "progress.toml").read_text()


def test_the_slider_moves_the_weights(page: Page, tmp_path: Path) -> None:
    run(cell(page, "from grader import check"))
    retype(cell(page, "def softmax("), RIGHT)
    for source in ("words = ", "interact(draw"):
        run(cell(page, source))
    output = cell(page, "interact(draw")
    expect(output).to_contain_text("Temperature 1.00", timeout=PATIENCE)
    handle = output.locator(".noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    expect(output).to_contain_text("Temperature 1.05", timeout=PATIENCE)
    expect(output.locator("img")).to_be_visible()
    picture(page, tmp_path / "slider.png")


def test_a_guess_comes_before_the_answer(page: Page, tmp_path: Path) -> None:
    run(cell(page, "from grader import check"))
    question, answer = cell(page, "broken = predict("), cell(page, "broken.beside(lost)")
    expect(answer).not_to_contain_text("it is:")  # stored, and folded away
    run(question)
    choices = question.locator("input[type=radio]")
    expect(choices).to_have_count(4, timeout=PATIENCE)
    assert not any(choices.nth(number).is_checked() for number in range(4))
    choices.nth(1).check()
    picture(page, tmp_path / "question.png")
    run(answer)
    expect(answer).to_contain_text("your guess: 1", timeout=PATIENCE)
    expect(answer).to_contain_text("it is:      2")
    picture(page, tmp_path / "answer.png")


def cell(page: Page, source: str) -> Locator:
    """The code cell of the notebook in front whose source holds a text."""
    front = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell")
    return front.filter(has=page.locator(".jp-InputArea", has_text=source)).first


def run(code_cell: Locator) -> None:
    """Click into a cell and press Shift + Enter."""
    code_cell.locator(".jp-InputArea .cm-content").click()
    code_cell.page.keyboard.press("Shift+Enter")


def retype(code_cell: Locator, source: str) -> None:
    """Replace what a cell holds, as by typing, and run it."""
    code_cell.locator(".jp-InputArea .cm-content").click()
    code_cell.page.keyboard.press("Control+A")
    code_cell.page.keyboard.insert_text(source)
    code_cell.page.keyboard.press("Shift+Enter")


def picture(page: Page, path: Path) -> None:
    """A screenshot to look at: pytest --basetemp=DIR keeps it."""
    page.screenshot(path=path)


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
