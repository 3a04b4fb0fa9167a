"""A learner in a browser: from `make start` through chapters 00, 03, 04 and 05."""

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
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
ROOT = Path(__file__).resolve().parent.parent
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
VECTOR = "def sentence_vector(hidden_state: Tensor) -> Tensor:\n    return hidden_state"
SCORES = "def attention_scores(query: Tensor, key: Tensor) -> Tensor:\n    return query @ key"
SPLIT = "def split_heads(x: Tensor, num_heads: int) -> Tensor:\n    batch, seq, hidden = x.shape\n"
SOFTMAX = """def softmax(x: Tensor, dim: int) -> Tensor:
    return (x - x.logsumexp(dim, keepdim=True)).exp()"""
SLIP = """def softmax(x: Tensor, dim: int) -> Tensor:
    exponentials = (x - x.amax(dim, keepdim=True)).exp()
    total = exponentials.sum(dim, keepdim=True) + 0.3
    return exponentials / total"""
LINE = "total = exponentials.sum(dim, keepdim=True) + 0.3"
HEAD = """class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))

    def forward(self, x, mask=None):
        scores = self.q(x) @ self.k(x).mT{scale}
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        return scores.softmax(-1) @ self.v(x)"""

pytestmark = [
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
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environment = plain | {
        "GRADER_LINE_SECONDS": "60",
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
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        elsewhere: list[str] = []
        page.on("request", lambda request: note(request.url, elsewhere))
        page.goto(address, wait_until="domcontentloaded")
        yield page
        browser.close()
        assert elsewhere == []


def test_the_first_chapter_from_make_start_to_progress(
    page: Page, course: Path, tmp_path: Path
) -> None:
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
    picture(page, tmp_path / "hint.png", stub)

    retype(stub, f"{VECTOR}.sum(1)")
    run(check)
    expect(card).to_contain_text("failed sentence_vector", timeout=PATIENCE)
    expect(card).to_contain_text("It behaves like this:")
    expect(card.locator(".heat table")).to_have_count(3)
    picture(page, tmp_path / "wrong.png", stub)
    retype(stub, f"{VECTOR}.mean(1)")
    run(check)
    expect(card).to_contain_text("passed sentence_vector", timeout=PATIENCE)
    expect(card).to_contain_text("Chapter 00: 1 of 1")
    picture(page, tmp_path / "right.png", stub)
    assert '[sentence_vector]\nverdict = "passed"' in (course / "progress.toml").read_text()

    restart(page)
    begin(page)
    told = cell(page, "progress()")
    run(told)
    expect(told.locator(".grader-card")).to_contain_text("1 of 1", timeout=PATIENCE)
    expect(told).to_contain_text(", in chapter 01.")
    picture(page, tmp_path / "progress.png", told)
    run(stub)
    run(check)
    expect(card).to_contain_text("passed sentence_vector", timeout=PATIENCE)


def test_an_error_and_the_same_mistake_twice(page: Page, address: str, tmp_path: Path) -> None:
    chapter(page, address, "03_attention_scores")
    stub, check = cell(page, "def attention_scores("), cell(page, "check(attention_scores)")
    card = check.locator(".grader-card")
    retype(stub, SCORES)
    run(check)
    expect(card).to_contain_text("error attention_scores", timeout=PATIENCE)
    expect(card).to_contain_text("line 2")
    picture(page, tmp_path / "error.png", stub)
    retype(stub, f"{SCORES}.mT")
    run(check)
    expect(card).to_contain_text("failed attention_scores", timeout=PATIENCE)
    expect(card).to_contain_text("Nothing is scaled")
    before = card.inner_text()
    run(check)
    expect(card).not_to_have_text(before, use_inner_text=True, timeout=PATIENCE)  # says more
    picture(page, tmp_path / "again.png", stub)
    retype(stub, f"{SCORES}.mT / query.shape[-1] ** 0.5")
    run(check)
    expect(card).to_contain_text("passed attention_scores", timeout=PATIENCE)
    expect(card).to_contain_text("Chapter 03: 1 of 5")


def test_what_is_lent_and_a_module(page: Page, address: str, tmp_path: Path) -> None:
    chapter(page, address, "05_multi_head_attention")
    expect(cell(page, "from grader import check")).to_contain_text("Lent by the reference")
    stub, check = cell(page, "def split_heads("), cell(page, "check(split_heads)")
    card = check.locator(".grader-card")
    retype(stub, f"{SPLIT}    return x.view(batch, num_heads, seq, -1)")
    run(check)
    expect(card).to_contain_text("failed split_heads", timeout=PATIENCE)
    expect(card.locator(".heat table")).to_have_count(3)
    picture(page, tmp_path / "split.png", stub)
    retype(stub, f"{SPLIT}    return x.view(batch, seq, num_heads, -1).transpose(1, 2)")
    run(check)
    expect(card).to_contain_text("passed split_heads", timeout=PATIENCE)
    stub, check = cell(page, "class AttentionHead("), cell(page, "check(AttentionHead)")
    card = check.locator(".grader-card")
    retype(stub, HEAD.replace("{scale}", ""))
    run(check)
    expect(card).to_contain_text("failed AttentionHead", timeout=PATIENCE)
    expect(card).to_contain_text("It behaves like this:")
    picture(page, tmp_path / "module.png", stub)
    retype(stub, HEAD.replace("{scale}", " / self.q.out_features**0.5"))
    run(check)
    expect(card).to_contain_text("passed AttentionHead", timeout=PATIENCE)
    picture(page, tmp_path / "module_right.png", stub)


def test_a_card_gains_its_line_and_folds_its_hints(
    page: Page, address: str, tmp_path: Path
) -> None:
    chapter(page, address, "04_softmax")
    stub, check = cell(page, "def softmax("), cell(page, "check(softmax)")
    card = check.locator(".grader-card")
    retype(stub, SLIP)
    run(check)
    expect(card).to_contain_text("failed softmax", timeout=PATIENCE)
    picture(page, tmp_path / "at_once.png", stub)
    expect(card.locator("code.own")).to_have_text(LINE, timeout=PATIENCE)
    expect(card).to_have_count(1)
    hints = card.locator("details.hint > summary")
    assert [each.is_visible() for each in hints.all()] == [True, False, False]
    hints.first.click()
    assert [each.is_visible() for each in hints.all()] == [True, True, False]
    picture(page, tmp_path / "with_its_line.png", stub)


def test_a_slider_moves_and_a_guess_comes_before_the_answer(
    page: Page, address: str, tmp_path: Path
) -> None:
    chapter(page, address, "04_softmax")
    retype(cell(page, "def softmax("), SOFTMAX)
    for source in ("words = ", "interact(draw"):
        run(cell(page, source))
    output = cell(page, "interact(draw")
    expect(output).to_contain_text("Temperature 1.00", timeout=PATIENCE)
    handle = output.locator(".noUi-handle")
    handle.focus()
    handle.press("ArrowRight")
    expect(output).to_contain_text("Temperature 1.05", timeout=PATIENCE)
    expect(output.locator("img")).to_be_visible()
    picture(page, tmp_path / "slider.png", output)

    question, answer = cell(page, "broken = predict("), cell(page, "broken.beside(lost)")
    expect(answer).not_to_contain_text("Measured")  # stored, and folded away
    run(question)
    choices = question.locator("input[type=radio]")
    expect(choices).to_have_count(4, timeout=PATIENCE)
    assert not any(choices.nth(number).is_checked() for number in range(4))
    picture(page, tmp_path / "question.png", question)
    run(answer)
    expect(answer).to_contain_text("Answer first", timeout=PATIENCE)
    expect(answer.get_by_text("Measured: 2")).to_be_hidden()
    choices.nth(1).check()
    question.locator(".guess-why").fill("one goes under")
    question.get_by_role("button", name="Commit to it").click()
    expect(answer).to_contain_text("You: 1 (one goes under) ✗. Measured: 2.", timeout=PATIENCE)
    expect(question).to_contain_text("this guess stays")
    expect(choices).to_have_count(0)
    picture(page, tmp_path / "answer.png", question)


def chapter(page: Page, address: str, name: str) -> None:
    """Open a chapter in the same JupyterLab, and run its imports."""
    page.goto(f"{address.replace('00_start_here', name)}&reset", wait_until="domcontentloaded")
    expect(cell(page, "from grader import check")).to_be_visible(timeout=PATIENCE)
    wait_for_kernel(page)
    begin(page)


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


def wait_for_kernel(page: Page) -> None:
    expect(page.locator("#jp-main-statusbar")).to_contain_text("Idle", timeout=PATIENCE)


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


def picture(page: Page, path: Path, top: Locator) -> None:
    """A screenshot to look at, from this cell on: pytest --basetemp=DIR keeps it."""
    top.evaluate("each => each.scrollIntoView({block: 'start'})")
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
