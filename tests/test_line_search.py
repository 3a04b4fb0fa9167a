"""A card that gains its line in a real kernel, as a notebook's front end hears of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from grader.marking.examiner import Examiner
from grader.submission import load_submission
from grader.wall.zygote_client import Zygote

SLIP = """import torch

def softmax(x, dim):
    shifted = x - x.amax(dim, keepdim=True)
    exponentials = shifted.exp()
    total = exponentials.sum(dim, keepdim=True) + 0.3
    return exponentials / total"""
SECONDS = 120.0  # until which a slow machine must have said it


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(cwd=str(tmp_path_factory.mktemp("kernel")))
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(kernel: BlockingKernelClient, code: str) -> list[dict[str, Any]]:
    """What a cell has a front end show by the time that it is done."""
    shown: list[dict[str, Any]] = []
    kernel.execute_interactive(code, timeout=SECONDS, output_hook=shown.append)
    return shown


def text_of(message: dict[str, Any]) -> str:
    """What is shown, as plain text."""
    return str(message["content"].get("data", {}).get("text/plain", ""))


def test_a_card_gains_the_line_that_grading_tells(
    kernel: BlockingKernelClient, zygote: Zygote, tmp_path: Path
) -> None:
    run(kernel, f"from grader.notebook import line_search\nline_search.SECONDS = {SECONDS}")
    run(kernel, "from grader import check")
    run(kernel, SLIP)
    shown = [each for each in run(kernel, "check(softmax)") if each["msg_type"] == "display_data"]
    assert len(shown) == 1 and "softmax: failed" in text_of(shown[0])
    assert "Line 6" not in text_of(shown[0])
    late = kernel.get_iopub_msg(timeout=SECONDS)
    while late["msg_type"] != "update_display_data":
        late = kernel.get_iopub_msg(timeout=SECONDS)
    assert late["content"]["transient"] == shown[0]["content"]["transient"]
    (tmp_path / "handed_in.py").write_text(SLIP, encoding="utf-8")
    with Examiner(source=zygote.clone()) as examiner:
        submission = load_submission(tmp_path / "handed_in.py", frozenset({"softmax"}))
        (mark,) = examiner.mark(submission, ["softmax"]).marks
    assert mark.location is not None and mark.location.line == 6
    told = text_of(late).replace("\n  ", "\n")
    assert mark.location.part == "0.3"
    assert all(line in told for line in str(mark.location.message).splitlines())


def test_what_is_named_or_right_is_shown_once(kernel: BlockingKernelClient) -> None:
    run(kernel, "from grader import check")
    run(kernel, "def softmax(x, dim):\n    return (x - x.logsumexp(dim, keepdim=True)).exp()")
    kinds = [each["msg_type"] for each in run(kernel, "check(softmax)")]
    assert "execute_result" in kinds and "display_data" not in kinds
    run(kernel, "def softmax(x, dim):\n    return x.exp() / x.exp().sum()")
    kinds = [each["msg_type"] for each in run(kernel, "check(softmax)")]
    assert "execute_result" in kinds and "display_data" not in kinds
