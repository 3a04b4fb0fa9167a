"""A judge of implementations that errs is told the line, however it is written."""

from __future__ import annotations

from functools import partial

import pytest

from grader.diagnosis.locating.where import where
from tests.candidates import checks, failed, loaded

ASSERTING = """
import torch

def own(query, key):
    return torch.einsum("bqd,bkd->bqk", query, key) / key.shape[-1] ** 0.5

def judge(candidate):
    gen = torch.Generator().manual_seed(1)
    q, k = torch.randn(2, 3, 6, generator=gen), torch.randn(2, 5, 6, generator=gen)
    out = candidate(q.clone(), k.clone())
    assert out.shape == (2, 3, 5)
    assert torch.allclose(out, own(q, k), atol=1e-4)

def spot_attention_scores(candidate):
    try:
        judge(candidate)
    except Exception:
        return False
    return True
"""
FLAG = """
import torch

def spot_attention_scores(candidate):
    ok = True
    for seed in range(3):
        torch.default_generator.manual_seed(seed)
        q = torch.randn(2, 4, 8)
        k = torch.randn(2, 7, 8)
        want = torch.matmul(q, k.transpose(-2, -1)) / 8**0.5
        try:
            got = candidate(q, k)
        except Exception:
            return False
        ok = ok and got.shape == want.shape
        ok = ok and bool((got - want).abs().max() < 1e-3)
    return ok
"""
LIST = """
import torch

def spot_classification_head(candidate):
    problems = []
    logits = torch.tensor([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]])
    large = torch.tensor([[900.0, 0.0], [0.0, 900.0], [0.0, 1.0]])
    cases = [(logits, [1, 2]), (logits, [0, 0]), (large, [0, 0, 1])]
    for values, chosen in cases:
        labels = torch.tensor(chosen)
        wide = values.double()
        expected = (wide.logsumexp(1) - wide[range(len(labels)), labels]).mean()
        try:
            given = values.clone()
            loss = candidate(given, labels)
            if not torch.equal(given, values) or labels.tolist() != chosen:
                problems.append("another input")
            if loss.dim() != 0:
                problems.append("not a scalar")
            if not abs(float(loss) - float(expected)) < 1e-3:
                problems.append("another loss")
        except Exception as error:
            problems.append(str(error))
    return not problems
"""
EXPRESSION = """
import math
import torch

def waves(n, d):
    table = torch.zeros(n, d)
    for pos in range(n):
        for i in range(0, d, 2):
            table[pos, i] = math.sin(pos / 10000 ** (i / d))
            table[pos, i + 1] = math.cos(pos / 10000 ** (i / d))
    return table

def same(a, b):
    return a.shape == b.shape and (a - b).abs().max().item() < 1e-3

def spot_embeddings(candidate):
    try:
        return all(same(candidate(n, d), waves(n, d)) for n, d in [(12, 8), (5, 2), (7, 6)])
    except Exception:
        return False
"""
COUNT = """
import torch

def spot_layer_norm(candidate):
    score, total = 0, 0
    torch.default_generator.manual_seed(3)
    for shape in ((2, 3, 8), (1, 4, 5)):
        for eps in (1e-12, 0.5):
            x = torch.randn(shape) * 3 + 1
            x[0, 0], x[0, 1], x[0, 2] = 2, x[0, 1] + 4000, x[0, 2] * eps**0.5
            w, b = torch.randn(shape[-1]), torch.randn(shape[-1])
            mean = x.mean(-1, keepdim=True)
            var = ((x - mean) ** 2).mean(-1, keepdim=True)
            want = (x - mean) / torch.sqrt(var + eps) * w + b
            total += 1
            given = x.clone(), w.clone(), b.clone()
            try:
                got = candidate(*given, eps)
            except Exception:
                continue
            is_kept = all(map(torch.equal, given, (x, w, b)))
            if is_kept and got.shape == want.shape and torch.allclose(got, want, atol=1e-3):
                score += 1
    return score == total
"""
QUESTIONS = """
def _expected(x, n):
    batch, seq, hidden = x.shape
    d = hidden // n
    return [[[[x[b, s, h * d + i].item() for i in range(d)] for s in range(seq)]
             for h in range(n)] for b in range(batch)]

def _like(x, n):
    return lambda f: f(x, n).tolist() == _expected(x, n)

def spot_multi_head_attention(candidate):
    import torch
    questions = []
    for n in (1, 2, 3):
        questions.append(_like(torch.arange(72.0).reshape(2, 3, 12), n))
    questions.append(_like(torch.arange(60.0).reshape(3, 2, 10), 5))
    for question in questions:
        try:
            answer = question(candidate)
        except Exception:
            answer = False
        if not answer:
            return False
    return True
"""
NUMBERS = """
import numpy as np
import torch
from math import erf, sqrt

def phi(h):
    return np.vectorize(lambda t: 0.5 * t * (1 + erf(t / sqrt(2))))(h)

def spot_feed_forward(candidate):
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2, 3, 4))
    w1, b1 = rng.normal(size=(7, 4)), rng.normal(size=7)
    w2, b2 = rng.normal(size=(4, 7)), rng.normal(size=4)
    want = phi(x @ w1.T + b1) @ w2.T + b2
    args = [torch.tensor(a, dtype=torch.float32) for a in (x, w1, b1, w2, b2)]
    kept = [a.clone() for a in args]
    try:
        got = candidate(*args)
    except Exception:
        return False
    if not all(map(torch.equal, args, kept)):
        return False
    if tuple(got.shape) != want.shape:
        return False
    return bool(np.abs(got.numpy() - want).max() < 1e-3)
"""
STYLES = {
    "spot_attention_scores asserting": ASSERTING,
    "spot_attention_scores flag": FLAG,
    "spot_classification_head list": LIST,
    "spot_embeddings expression": EXPRESSION,
    "spot_layer_norm count": COUNT,
    "spot_multi_head_attention questions": QUESTIONS,
    "spot_feed_forward numbers": NUMBERS,
}
LINES = [
    ("spot_attention_scores asserting", "own(q, k), atol=1e-4", "own(q, k), atol=1e4"),
    ("spot_attention_scores asserting", "own(q, k), atol=1e-4", "own(q, k), rtol=0"),
    ("spot_attention_scores asserting", "torch.randn(2, 5, 6", "torch.randn(1, 5, 6"),
    ("spot_attention_scores flag", "ok = ok and bool((got", "ok = ok or bool((got"),
    ("spot_attention_scores flag", "< 1e-3", "< 1e-9"),
    ("spot_attention_scores flag", "< 1e-3", "> 1e-3"),
    ("spot_attention_scores flag", "return ok", "return None"),
    ("spot_classification_head list", "logsumexp(1)", "logsumexp(0)"),
    ("spot_classification_head list", "return not problems", "return problems"),
    ("spot_classification_head list", "if not abs(float(loss)", "if abs(float(loss)"),
    ("spot_embeddings expression", "return all(", "return any("),
    ("spot_embeddings expression", "        return False", "        return None"),
    ("spot_layer_norm count", "score == total", "score > 0"),
    ("spot_layer_norm count", "eps in (1e-12, 0.5)", "eps in (1e-4, 0.5)"),
    ("spot_multi_head_attention questions", "answer = False", "answer = True"),
    ("spot_multi_head_attention questions", "if not answer", "if answer"),
    ("spot_feed_forward numbers", ".max() < 1e-3", ".min() < 1e-3"),
]  # fmt: skip


def _exercise(style: str) -> str:
    return style.partition(" ")[0]


@pytest.mark.parametrize("style", STYLES)
def test_right_judges_are_told_no_line(style: str) -> None:
    exercise = _exercise(style)
    candidate = loaded(exercise, STYLES[style])
    assert not failed(exercise, candidate)
    assert where(candidate, 0, partial(checks().passes, candidate, 0, ())) is None


@pytest.mark.parametrize(("style", "right", "wrong"), LINES)
def test_the_line_that_makes_it_err_is_told(style: str, right: str, wrong: str) -> None:
    exercise, code = _exercise(style), STYLES[style]
    candidate = loaded(exercise, code.replace(right, wrong))
    found = where(candidate, 0, partial(checks().passes, candidate, 0, ()))
    assert found is not None
    assert wrong.strip() in found.source
    assert right not in str(found.message)
