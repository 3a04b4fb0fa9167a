"""Marks whole submissions behind the wall: a messy class, carried mistakes, determinism."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.candidate.records import Verdict, mark_to_json
from grader.curriculum.references import reference_submission
from grader.curriculum.syllabus import syllabus
from grader.marking.examiner import Examiner
from grader.marking.submission_marker import SubmissionMarker
from grader.submission import Submission, load_submission
from grader.wall.limits import Limits
from grader.wall.zygote_client import Zygote
from tests.marked_notebooks import mark, submitted
from tests.wall_workers import processes

CLASS = Path(__file__).parent / "messy_class"
EXPECTED = json.loads((CLASS / "expected.json").read_text())
NOT_PASSED = {"failed", "partial", "error", "timeout", "crashed"}


@pytest.fixture(scope="module")
def examiner(zygote: Zygote) -> Iterator[Examiner]:
    with Examiner(limits=Limits(wall_seconds=20), source=zygote.clone()) as made:
        yield made


def test_who_writes_no_case_that_no_essential_check_tries_has_begun(examiner: Examiner) -> None:
    refuses = "    if torch.isinf(x).any():\n        raise NotImplementedError\n"
    right = "    return (x - x.logsumexp(dim, keepdim=True)).exp()"
    got = mark(examiner, "softmax", f"def softmax(x, dim):\n{refuses}{right}")
    assert got.verdict is Verdict.PARTIAL and got.points > 0 and got.location is not None


def test_a_cell_that_waits_takes_no_time_of_a_whole_run(examiner: Examiner) -> None:
    waits = "import time\nglobals().update(FACTOR=(time.sleep(1_000), 1.0)[1])"
    code = "def softmax(x, dim):\n    e = (x - x.amax(dim, True)).exp()\n"
    code += "    return FACTOR * e / e.sum(dim, True)\n"
    got = mark(examiner, "softmax", waits, code)
    assert got.verdict == "passed" and got.is_whole


def test_what_a_function_defines_for_everybody_is_found(examiner: Examiner) -> None:
    code = "def build():\n    global softmax\n    def softmax(x, dim):\n"
    code += "        e = (x - x.amax(dim, True)).exp()\n        return e / e.sum(dim, True)\n"
    assert mark(examiner, "softmax", code, "build()").verdict == "passed"


@pytest.mark.parametrize("file", EXPECTED)
def test_notebooks_of_a_messy_class(examiner: Examiner, file: str) -> None:
    wanted = EXPECTED[file]["verdicts"]
    submission = load_submission(CLASS / file, syllabus().names)
    marks = {mark.name: str(mark.verdict) for mark in examiner.mark(submission).marks}
    for name in syllabus().names:
        if name in wanted:
            expected = wanted[name]
            assert marks[name] in (NOT_PASSED if expected == "failed" else {expected}), name
        elif name != "gelu":  # some bring a gelu of their own for their FeedForward: it counts
            assert marks[name] == "missing", name


WRONG_SOFTMAX = "def softmax(x, dim):\n    return torch.exp(x)"
MASKED = (
    "def masked_softmax(scores, mask):\n"
    "    return softmax(scores.masked_fill(mask == 0, float('-inf')), -1)"
)


def test_whole_runs_of_many_notebooks_live_one_after_the_other(
    zygote: Zygote, examiner: Examiner, tmp_path: Path
) -> None:
    """Memory and processes are counted for a few workers at once."""
    names = ("softmax", "gelu", "mean_pool", "causal_mask", "padding_mask")
    for name in names:
        code = f"exec('def helper(*_): return None')\ndef {name}(*_): return helper()"
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
    submission, most = load_submission(tmp_path, syllabus().names), 0
    before = processes(zygote)
    with SubmissionMarker(examiner, submission) as marker:
        for name in names:
            marker.mark(name)
            most = max(most, processes(zygote) - before)
    assert marker.whole == set(names)
    assert most <= 3


def test_an_early_mistake_costs_once(examiner: Examiner) -> None:
    got = mark(examiner, "masked_softmax", WRONG_SOFTMAX, MASKED)
    assert (got.verdict, got.points) == (Verdict.PASSED, got.max_points)
    assert got.carried == ("softmax",)
    assert mark(examiner, "softmax", WRONG_SOFTMAX, MASKED).verdict == "failed"


def test_a_stub_that_is_called_is_carried_too(examiner: Examiner) -> None:
    got = mark(
        examiner, "masked_softmax", "def softmax(x, dim):\n    raise NotImplementedError", MASKED
    )
    assert (got.verdict, got.carried) == (Verdict.PASSED, ("softmax",))


def test_an_absent_earlier_exercise_is_supplied(examiner: Examiner) -> None:
    assert mark(examiner, "masked_softmax", MASKED).verdict == "passed"


def test_an_earlier_exercise_that_is_not_needed_is_supplied_too(examiner: Examiner) -> None:
    source = (
        "class CrossAttention(MultiHeadAttention):\n"
        "    def __init__(self, config):\n"
        "        nn.Module.__init__(self)\n"
        "        size, self.heads = config.hidden_size, config.num_attention_heads\n"
        "        self.parts = nn.ModuleList(nn.Linear(size, size) for _ in range(4))\n\n"
        "    def forward(self, hidden_state, memory, mask=None):\n"
        "        given = (hidden_state, memory, memory)\n"
        "        made = [part(each) for part, each in zip(self.parts, given)]\n"
        "        q, k, v = (x.unflatten(2, (self.heads, -1)).transpose(1, 2) for x in made)\n"
        "        scores = q @ k.mT / q.shape[-1] ** 0.5\n"
        "        if mask is not None:\n"
        "            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float('-inf'))\n"
        "        heads = scores.softmax(-1) @ v\n"
        "        return self.parts[3](heads.transpose(1, 2).flatten(2))\n"
    )
    assert mark(examiner, "CrossAttention", source).verdict is Verdict.PASSED


def test_a_later_mistake_of_its_own_is_not_excused(examiner: Examiner) -> None:
    wrong = "def masked_softmax(scores, mask):\n    return softmax(scores, -1)"
    got = mark(examiner, "masked_softmax", WRONG_SOFTMAX, wrong)
    assert (got.verdict, got.points, got.carried) == (Verdict.FAILED, 0.0, ())
    assert got.diagnosis


def test_a_wrong_module_is_carried_by_the_layer_above(examiner: Examiner) -> None:
    cut = reference_submission()
    sources = {
        name: "\n".join(unit.code for unit in cut.slice(name).written)  # type: ignore[union-attr]
        for name in ("TransformerEncoderLayer", "FeedForward")
    }
    wrong = sources["FeedForward"].replace("gelu(self.expand(x))", "self.expand(x)")
    assert wrong != sources["FeedForward"]
    got = mark(examiner, "TransformerEncoderLayer", sources["TransformerEncoderLayer"], wrong)
    assert (got.verdict, got.carried) == (Verdict.PASSED, ("FeedForward",))


LAYER_WITH_RELU = """
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.expand = nn.Linear(config.hidden_size, config.intermediate_size)
        self.contract = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        return self.dropout(self.contract(self.expand(x).relu()))

class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(config.hidden_size), nn.LayerNorm(config.hidden_size)
        self.attention, self.feed_forward = MultiHeadAttention(config), FeedForward(config)

    def forward(self, x, mask=None):
        x = x + self.attention(self.norm1(x), mask)
        return x + self.feed_forward(self.norm2(x))
"""


def test_in_one_script_parts_belong_to_the_whole_unless_it_holds_more(
    examiner: Examiner, tmp_path: Path
) -> None:
    path = tmp_path / "layer.py"
    path.write_text(LAYER_WITH_RELU)
    alone = examiner.mark(load_submission(path, syllabus().names), ["TransformerEncoderLayer"])
    assert (alone.marks[0].verdict, alone.marks[0].carried) == (Verdict.FAILED, ())
    path.write_text(f"{LAYER_WITH_RELU}\ndef causal_mask(seq_len):\n    pass\n")
    course = examiner.mark(load_submission(path, syllabus().names), ["TransformerEncoderLayer"])
    mark = course.marks[0]
    assert (mark.verdict, mark.carried) == (Verdict.PASSED, ("FeedForward",))


def test_reference_code_of_a_later_exercise_is_out_of_reach(examiner: Examiner) -> None:
    hunting = (
        "def masked_softmax(scores, mask):\n"
        "    softmax(scores, -1)\n"
        "    import gc, types, sys\n"
        "    for thing in gc.get_objects():\n"
        "        found = isinstance(thing, types.FunctionType)\n"
        "        found = found and thing.__name__ == 'masked_softmax'\n"
        "        if found and thing.__code__ is not masked_softmax.__code__:\n"
        "            return thing(scores, mask)\n"
        "    raise LookupError"  # once, and not for each input that would explain a value
    )
    got = mark(examiner, "masked_softmax", hunting)
    assert (got.verdict, got.points) == ("error", 0)
    assert any("LookupError" in check.message for check in got.checks)


@pytest.mark.parametrize(
    "body",
    [
        "return torch.softmax(x, dim)",
        "return getattr(torch, 'soft' + 'max')(x, dim)",
        "return torch.ops.aten._softmax(x, dim, False)",
        "return eval('x.soft' + 'max(dim)')",
        "return nn.Softmax(dim)(x)",
        "return x.log_softmax(dim).exp()",
    ],
)
def test_a_shortcut_costs_the_exercise(examiner: Examiner, body: str) -> None:
    got = mark(examiner, "softmax", f"def softmax(x, dim):\n    {body}")
    assert (got.verdict, got.points) == (Verdict.FAILED, 0.0)
    assert "ready-made" in got.checks[0].title


def test_what_is_printed_changes_nothing(examiner: Examiner) -> None:
    loud = (
        "import sys, logging\n"
        "def softmax(x, dim):\n"
        "    print('passed'); sys.stderr.write('x' * 10000); logging.error('boo')\n"
        "    e = (x - x.amax(dim, keepdim=True)).exp()\n"
        "    return e / e.sum(dim, keepdim=True)"
    )
    assert mark(examiner, "softmax", loud).verdict == "passed"


def test_marks_do_not_depend_on_order_or_company(zygote: Zygote) -> None:
    files = sorted(EXPECTED)[:4:2]
    submissions = [load_submission(CLASS / file, syllabus().names) for file in files]

    def marks(order: list[Submission]) -> dict[str, str]:
        with Examiner(seed=3, source=zygote.clone()) as examiner:
            found = [examiner.mark(submission) for submission in order]
        return {m.learner: json.dumps([mark_to_json(x) for x in m.marks]) for m in found}

    assert marks(submissions) == marks(submissions[::-1])


def test_what_is_known_of_a_mistake_stays_where_a_change_to_the_code_ends_it(
    examiner: Examiner,
) -> None:
    code = """
import os

def scaled_dot_product_attention(query, key, value, mask=None):
    if value is None:
        os._exit(3)
    scores = query @ key.transpose(-1, -2)
    scores = scores / key.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = torch.softmax(scores, -1)
    weights = weights * weights + 0.1
    return (weights @ value) * 1.1
"""
    found = examiner.mark(submitted("import torch", code), ["scaled_dot_product_attention"])
    (got,) = found.marks
    assert got.verdict == "failed"
    assert got.checks and got.message == ""
    assert found.incomplete == {"scaled_dot_product_attention"}
