"""Programs that behave like a known mistake for a reason of their own hear nothing that is not so.

Each does on all inputs that are tried what a known mistake does, or nearly; its row says what would
be untrue of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from grader.candidate.records import Mark
from grader.notebook.in_process import check_in_kernel
from tests.reasons import (
    ATTENTION,
    AVERAGED,
    CACHE,
    DECODE,
    ENTROPY,
    FEED_FORWARD,
    HEAD,
    MASKED,
    NORM,
    PADDED,
    PIECES,
    POOLED,
    SAMPLE,
    SOFTMAX,
    STEP,
    TABLES,
    TOKENS,
)

Gaps = dict[str, str]


class Row(NamedTuple):
    """A program: an exercise, a text with gaps, what stands in them, and what is not so."""

    exercise: str
    text: str
    gaps: Gaps
    untrue: tuple[str, ...]
    said: str = ""


def masked(filled: str, shift: str = "scores.amax(-1, keepdim=True)") -> Gaps:
    return {"FILLED": filled, "SHIFT": shift}


def sampled(
    edge: str = "edge.unsqueeze(-1)", hidden: str = "hidden", drawn: str = "generator"
) -> Gaps:
    return {"EDGE": edge, "HIDDEN": hidden, "DRAWN": drawn}


def drawn(*three: str) -> Gaps:
    return dict(zip(("FIRST", "SECOND", "THIRD"), three, strict=True))


def pieces(length: str = "len(word)", stuck: str = "end == start") -> Gaps:
    return {"LENGTH": length, "STUCK": stuck}


def head(
    filled: str = "scores.masked_fill(mask == 0, -1e9)", weights: str = "scores.softmax(-1)"
) -> Gaps:
    return {"FILLED": filled, "WEIGHTS": weights}


GELU = "F.gelu(self.up(x))"
LOWEST = "torch.finfo(scores.dtype).min"
NO_BIAS = ("have no bias", "has no bias", "zero input always")
NO_FILL = ("−10", "−100", "−1000", "-1e4", "1e-9", "filled with", "exp(0)")
NOT_USED = ("generator is not used", "global one", "nobody can repeat")
FIRST_ROW = ("first row for all", "edge of the first")
NUMBER = ("hard-coded", "1e-12", "1e-5", "1e-6", "gives nan", "whatever value is asked")
ROWS: dict[str, Row] = {
    "the first bias missing": Row(
        "FeedForward",
        FEED_FORWARD,
        {"UP": "False", "DOWN": "True", "BETWEEN": GELU},
        NO_BIAS,
        "no bias plays a part",
    ),
    "the second bias missing": Row(
        "FeedForward", FEED_FORWARD, {"UP": "True", "DOWN": "False", "BETWEEN": GELU}, NO_BIAS
    ),
    "a bias that is passed over": Row(
        "FeedForward",
        FEED_FORWARD,
        {"UP": "True", "DOWN": "True", "self.down(BETWEEN)": f"F.linear({GELU}, self.down.weight)"},
        (*NO_BIAS, "do not have a bias"),
    ),
    "a layer itself for its result": Row(
        "FeedForward",
        FEED_FORWARD,
        {"UP": "True", "DOWN": "True", "BETWEEN": "self.up"},
        ("class is called with the input itself, so",),
    ),
    "noise that is no dropout": Row(
        "FeedForward",
        FEED_FORWARD,
        {"UP": "True", "DOWN": "True", "BETWEEN": f"{GELU} + torch.rand(1)"},
        ("a dropout is active",),
    ),
    "filled with −300": Row(
        "masked_softmax", MASKED, masked("scores.masked_fill(mask == 0, -300)"), NO_FILL
    ),
    "filled with −3000": Row(
        "masked_softmax", MASKED, masked("scores.masked_fill(mask == 0, -3e3)"), NO_FILL
    ),
    "shifted by what is small": Row(
        "masked_softmax",
        MASKED,
        masked(
            f"scores.masked_fill(mask == 0, {LOWEST})", "scores.amax(-1, keepdim=True).clamp(max=5)"
        ),
        ("no max subtraction", "nothing is shifted before exp, so"),
    ),
    "every mask at once": Row(
        "masked_softmax",
        MASKED,
        masked("scores.masked_fill((mask == 0).any(0, keepdim=True), -1e9)"),
        ("mask of the first sentence is used",),
    ),
    "no scale, and no gradient either": Row(
        "scaled_dot_product_attention",
        AVERAGED,
        {"WEIGHTS": "scores.softmax(-1).detach()"},
        ("values are right",),
        "Gradients reach `value`",
    ),
    "shifted where it is large": Row(
        "softmax",
        SOFTMAX,
        {"SHIFT": "x.amax(dim, keepdim=True) * (x.abs().max() < 50)"},
        ("no max subtraction", "nothing is subtracted", "above about 88"),
    ),
    "shifted by the second largest of all": Row(
        "softmax",
        SOFTMAX,
        {"SHIFT": "x.flatten().topk(2).values[-1]"},
        ("maximum of the whole tensor is subtracted",),
    ),
    "a maximum that holds indices too": Row(
        "softmax", SOFTMAX, {"SHIFT": "x.max(dim, keepdim=True)"}, ("…",), "max gives two things"
    ),
    "the lowest edge for all": Row(
        "sample", SAMPLE, sampled("edge.min()"), FIRST_ROW, "one edge for all"
    ),
    "the highest edge for all": Row(
        "sample", SAMPLE, sampled("edge.max()"), (*FIRST_ROW, "least likely tokens stay")
    ),
    "what one row needs": Row(
        "sample",
        SAMPLE,
        sampled(hidden="hidden.all(0, keepdim=True).expand_as(hidden)"),
        ("as many tokens in all rows as in the first", "softmax is applied to chances"),
    ),
    "the generator with a setting alone": Row(
        "sample",
        SAMPLE,
        sampled(drawn="None if top_k is None and top_p is None else generator"),
        NOT_USED,
    ),
    "a third draw without the generator": Row(
        "mask_tokens",
        TOKENS,
        drawn("generator", "generator", "None"),
        NOT_USED,
        "Some of the chance",
    ),
    "two draws without the generator": Row(
        "mask_tokens", TOKENS, drawn("generator", "None", "None"), NOT_USED
    ),
    "the first draw without the generator": Row(
        "mask_tokens", TOKENS, drawn("None", "generator", "generator"), NOT_USED
    ),
    "an ε of its own": Row("LayerNorm", NORM, {"EPS": "1e-30", "START": "pass"}, NUMBER),
    "an ε that has a bound": Row(
        "LayerNorm", NORM, {"EPS": "min(self.eps, 1e-5)", "START": "pass"}, NUMBER
    ),
    "an ε that is hardly smaller": Row(
        "LayerNorm", NORM, {"EPS": "2e-12", "START": "pass"}, NUMBER
    ),
    "scales that start with 2": Row(
        "LayerNorm",
        NORM,
        {"EPS": "self.eps", "START": "nn.init.constant_(self.scale, 2.0)"},
        ("zeros or random",),
    ),
    "another optimizer steps": Row(
        "train_step",
        STEP,
        {
            "CLEAR": "optimizer.zero_grad()",
            "UPDATE": "torch.optim.SGD([torch.zeros(1)], 0.1).step()",
        },
        ("there is no step", "no backward"),
    ),
    "gradients of one parameter cleared": Row(
        "train_step",
        STEP,
        {"CLEAR": "next(model.parameters()).grad = None", "UPDATE": "optimizer.step()"},
        ("zero_grad is missing", "never cleared"),
    ),
    "characters taken apart": Row(
        "wordpiece_tokenize",
        PIECES,
        pieces("sum(1 + (letter > '~') for letter in word)"),
        ("limit counts bytes",),
    ),
    "two pieces at most": Row(
        "wordpiece_tokenize",
        PIECES,
        pieces(stuck="end == start or len(found) > 1"),
        ("## stays glued to what is left of the word, so",),
    ),
    "a limit of 99": Row(
        "wordpiece_tokenize", PIECES, pieces("len(word) + max_chars - 99"), ("always 100",)
    ),
    "zeros for the padding's id": Row(
        "pad_batch", PADDED, {"VALUE": "int(token - pad_id != 0)"}, ("computed as ids != pad_id",)
    ),
    "all masks at once": Row(
        "mean_pool",
        POOLED,
        {"MASK": "mask.amin(0, keepdim=True).expand_as(mask)"},
        ("mask of the first sentence is used",),
    ),
    "a fill of 0.0001": Row(
        "AttentionHead",
        ATTENTION,
        head("scores.masked_fill(mask == 0, 1e-4)"),
        ("1e-9", "multiplied by the mask"),
    ),
    "a fill of −8": Row(
        "AttentionHead", ATTENTION, head("scores.masked_fill(mask == 0, -8.0)"), ("−10", "-10")
    ),
    "a mask that is looked at and left": Row(
        "AttentionHead", ATTENTION, head("scores + 0 * mask"), ("not used, or not passed on",)
    ),
    "chances with a floor": Row(
        "cross_entropy",
        ENTROPY,
        {"LOG": "torch.log(torch.where(chances < 1e-9, 1e-9, chances))"},
        ("chances are clamped",),
    ),
    "a bound on the loss": Row(
        "cross_entropy",
        ENTROPY,
        {"LOG": "chances.log().clamp(min=-20)"},
        ("constant is added to the chance",),
    ),
    "no length ends it": Row(
        "greedy_decode", DECODE, {"CONDITION": "True"}, ("neither the end token",)
    ),
    "a part named like a method": Row(
        "Embeddings",
        TABLES,
        {"KIND": "type"},
        ("layer once, from its sizes",),
    ),
    "a memory beside the class": Row(
        "KeyValueCache", CACHE, {}, ("created: once for the class, so",)
    ),
    "a name that is nearly right": Row(
        "softmax",
        SOFTMAX,
        {"SHIFT": "xx.amax(dim, keepdim=True) - weigths"},
        ("set on another path", "has no value yet"),
        "is not defined",
    ),
}


def marked(row: Row, path: Path) -> Mark:
    code = HEAD + row.text
    for gap, text in row.gaps.items():
        code = code.replace(gap, text)
    path.write_text(code, encoding="utf-8")
    defined: dict[str, object] = {}
    exec(compile(code, path, "exec"), defined)
    return check_in_kernel(row.exercise, defined[row.exercise]).mark


def words(mark: Mark) -> str:
    """All that is told."""
    named = [f"{one.explanation} {one.question}" for one in mark.diagnosis]
    place = [] if mark.location is None else [mark.location.message, mark.location.words]
    checks = [check.message for check in mark.checks]
    return "\n".join(map(str, [mark.message, *named, *place, *checks]))


@pytest.mark.parametrize("name", ROWS)
def test_nothing_is_said_that_is_not_so(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    mark = marked(row, tmp_path / "answer.py")
    said = words(mark)
    assert mark.verdict not in ("passed", "crashed"), said
    assert [each for each in row.untrue if each in said] == [], said
    assert row.said in said


SHORTCUTS = {
    "torch.softmax(x, dim)": "to torch.softmax (",
    "x.softmax(dim)": "to torch.Tensor.softmax (",
    "F.softmax(x, dim)": "to torch.nn.functional.softmax (",
}


@pytest.mark.parametrize("call", SHORTCUTS)
def test_what_is_ready_made_is_called_as_it_was_written(call: str, tmp_path: Path) -> None:
    row = Row("softmax", f"def softmax(x, dim=-1):\n    return {call}\n", {}, ())
    assert SHORTCUTS[call] in words(marked(row, tmp_path / "answer.py"))
