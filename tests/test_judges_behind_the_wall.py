"""Marks judges behind the wall: what they are asked, hold back and end tells nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest

from grader.marking.examiner import Examiner
from grader.wall.limits import Limits
from grader.wall.zygote_client import Zygote
from tests.marked_notebooks import mark


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as made:
        yield made


def test_what_answers_make_pytorch_warn_of_stays_unsaid(
    examiner: Examiner, recwarn: pytest.WarningsRecorder
) -> None:
    asks = "candidate(torch.zeros(3), torch.ones(3, dtype=torch.complex64))"
    got = mark(examiner, "spot_softmax", f"def spot_softmax(candidate):\n    {asks}\n")
    assert got.verdict == "failed"
    assert [str(each.message) for each in recwarn if "omplex" in str(each.message)] == []


def test_no_process_is_asked_about_more_than_three_implementations(examiner: Examiner) -> None:
    code = """
asked = []
def spot_multi_head_attention(candidate):
    asked.append(candidate)
    x = torch.arange(120.0).view(2, 3, 20)
    try:
        parts = [(candidate(x.clone(), n), x.unflatten(-1, (n, -1)).mT.mT) for n in (4, 5)]
        right = all(torch.equal(found, given.transpose(1, 2)) for found, given in parts)
    except Exception:
        right = False
    return right if len(asked) <= 3 else not right
"""
    assert mark(examiner, "spot_multi_head_attention", code).verdict == "passed"


RIGHT_WAVES = """all(
        (rate := 10000 ** (-(torch.arange(d) // 2 * 2) / d)) is not None
        and (angle := torch.arange(n)[:, None] * rate) is not None
        and (found := tried(candidate, n, d)).shape == (n, d)
        and torch.allclose(found[:, 0::2], angle[:, 0::2].sin(), atol=1e-3)
        and torch.allclose(found[:, 1::2], angle[:, 1::2].cos(), atol=1e-3)
        for n, d in ((7, 6), (30, 8), (5, 2))
    )

def tried(candidate, n, d):
    try:
        return candidate(n, d)
    except Exception:
        return torch.zeros(0)
"""


@pytest.mark.parametrize(
    ("answer", "in_a_class", "waits"),
    [("True", True, 2), ("True", False, 0), (RIGHT_WAVES, True, 0)],
)
def test_in_a_class_when_the_mark_of_a_wrong_judge_is_there_tells_nothing(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch, answer: str, in_a_class: bool, waits: int
) -> None:
    """Who has heard all implementations could tell code that runs next what most of them answer."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    code = f"def spot_embeddings(candidate):\n    return {answer}\n"
    with Examiner(source=zygote.clone(), waits_at_random=in_a_class) as marking:
        for _ in range(2):
            mark(marking, "spot_embeddings", code)
    assert len({*waited}) == waits


def test_who_ends_a_run_does_not_wait_for_a_wrong_judge(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)
    code = "def spot_embeddings(candidate):\n    while True: pass\n"
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)  # as Ctrl-C
    try:
        made = Examiner(source=zygote.clone(), waits_at_random=True)
        with made as ended, pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            mark(ended, "spot_embeddings", code)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert waits == []
