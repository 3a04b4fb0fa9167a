"""Learner code that answers for its worker: whatever field it forges, nothing that was lent leaves.

Each case forges other fields of all answers: every number, text and list of them at once, as far as
the wire lets it. What it puts there is nowhere in the mark.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from grader.candidate.records import Mark, mark_to_json
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.marking.gate import MOST_BYTES
from grader.submission import Cell, Submission
from grader.wall.zygote_client import Zygote

NUMBER = 918_273_645_918_273_645
TEXT = "exponentials / exponentials.sum(dim, keepdim=True) " * 30
SHARES = 6  # in which all fields are forged, one share in each case

FORGED = """
import sys, zlib
import torch
from torch import nn

SHARE, OF, NUMBER, TEXT = {share}, {of}, {number}, {text!r}

def forged(path, part):
    is_mine = zlib.crc32(path.encode()) % OF == SHARE
    if isinstance(part, dict):
        return {{name: forged(path + "." + str(name), one) for name, one in part.items()}}
    if type(part) is list:
        part = [forged(path + "[]", one) for one in part]
        return part * 500 if is_mine and path.endswith(("also", "kinds", "shape")) else part
    if not is_mine or isinstance(part, bool):
        return part
    if type(part) is int:
        return NUMBER
    return TEXT[: 150 if path.endswith("name") else 400] if type(part) is str else part

def answer_for_the_worker():
    service = sys.modules["worker.answering"].Service
    if hasattr(service, "honest"):
        return
    service.honest = service.handle
    service.handle = lambda self, op, payload: forged(op, service.honest(self, op, payload))
"""
ANSWERS = {
    "masked_softmax": """
def masked_softmax(scores, mask):
    answer_for_the_worker()
    hidden = scores.masked_fill(mask == 0, -1e30)
    return softmax(hidden, -1) + 0.01
""",
    "scaled_dot_product_attention": """
def scaled_dot_product_attention(query, key, value, mask=None):
    answer_for_the_worker()
    scores = attention_scores(query, value)
    return masked_softmax(scores, mask) @ value
""",
    "TransformerEncoderLayer": """
class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        answer_for_the_worker()
        self.norms = [LayerNorm(config.hidden_size) for _ in range(2)]
        self.attention, self.feed_forward = MultiHeadAttention(config), FeedForward(config)

    def forward(self, x, mask=None):
        x = x + self.attention(self.norms[0](x))
        return x + self.feed_forward(self.norms[1](x))
""",
}


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(source=zygote.clone()) as made:
        yield made


def marked(examiner: Examiner, exercise: str, share: int) -> Mark:
    code = FORGED.format(share=share, of=SHARES, number=NUMBER, text=TEXT) + ANSWERS[exercise]
    cell = Cell(code, "answer.py", "answer.py", 0)
    submission = Submission("learner", frozenset(syllabus().names), (cell,))
    return examiner.mark(submission, [exercise]).marks[0]


@pytest.mark.parametrize("exercise", ANSWERS)
@pytest.mark.parametrize("share", range(SHARES))
def test_no_forged_field_leaves_the_marker(examiner: Examiner, exercise: str, share: int) -> None:
    mark = marked(examiner, exercise, share)
    assert mark.points == 0
    text = json.dumps(mark_to_json(mark))
    assert len(text) <= MOST_BYTES
    told = [mark.message, *(check.message for check in mark.checks)]
    told += [mark.location.message] if mark.location else []
    for part in told:
        assert "918273" not in part.replace(",", "") and "exponentials" not in part
    if mark.location:
        assert set(mark.location.sources) <= set(range(1, len(text)))
        assert len(mark.location.sources) == len(set(mark.location.sources))
