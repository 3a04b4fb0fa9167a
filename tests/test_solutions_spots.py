"""Every spot_* reference lets each right formulation through and catches each known wrong turn."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from solutions.attention_scores import spot_attention_scores
from solutions.classification_head import cross_entropy, spot_classification_head
from solutions.embeddings import sinusoidal_encoding, spot_embeddings
from solutions.feed_forward import spot_feed_forward
from solutions.layer_norm import spot_layer_norm
from solutions.multi_head_attention import split_heads, spot_multi_head_attention
from solutions.softmax import masked_softmax, spot_softmax
from solutions.tokenization import spot_tokenization, wordpiece_tokenize

INF = math.inf
Vocab = dict[str, int]


def pieces(
    word: str, vocab: Vocab, mark: str = "##", first: str = "", limit: float = 100, **other: Any
) -> list[str]:
    """WordPiece with switches; as called without any, it is right."""
    if len(word) > limit:
        return ["[UNK]"]
    found: list[str] = []
    start = 0
    while start < len(word):
        ends = range(start + 1, len(word) + 1 - other.get("last", 0))
        prefix = mark if start else first
        fitting = [end for end in ends if prefix + word[start:end] in vocab]
        if not fitting:
            return [*found, "[UNK]"] if other.get("keep") else ["[UNK]"]
        end = fitting[0] if other.get("shortest") else fitting[-1]
        found.append(prefix + word[start:end])
        start = end
    return found


def waves(
    length: int, width: int, base: float = 1e4, power: float = 1, shift: int = 0, cut: bool = False
) -> Tensor:
    """Sinusoidal encoding with switches; as called without any, it is right, in float32."""
    frequency = torch.exp(-torch.arange(0, width, 2) * power * math.log(base) / width)
    angle = (torch.arange(length) + shift).unsqueeze(1) * frequency
    both = [angle.sin(), angle.cos()]
    return torch.cat(both, 1) if cut else torch.stack(both, 2).flatten(1)


def norm(
    x: Tensor, weight: Tensor, bias: Tensor, eps: float, dim: Any = -1, correction: int = 0
) -> Tensor:
    """Layer normalisation with switches; as called without any, it is right."""
    spread = (x.var(dim, correction=correction, keepdim=True) + eps).rsqrt()
    return (x - x.mean(dim, keepdim=True)) * spread * weight + bias


def masked(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(mask == 0, -INF)


def changed(found: Callable[..., Any], *given: Any, at: int = 0) -> Any:
    """The right result, and a changed input."""
    result = found(*given)
    given[at].copy_(given[at] == 0)
    return result


def scaled(query: Tensor, key: Tensor, by: float | None = None) -> Tensor:
    return query @ key.mT * (query.shape[-1] ** -0.5 if by is None else by)


def affine(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor, act: Any = F.gelu) -> Tensor:
    return F.linear(act(F.linear(x, w, b)), u, c)


def convolved(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor) -> Tensor:
    wide = F.gelu(F.conv1d(x.mT, w.unsqueeze(-1), b))
    return F.conv1d(wide, u.unsqueeze(-1), c).mT


def stepwise(logits: Tensor, labels: Tensor) -> Tensor:
    shifted = logits - logits.amax(1, keepdim=True)
    return (shifted.exp().sum(1).log() - shifted[range(len(labels)), labels]).mean()


RIGHT: list[tuple[Callable[..., bool], Callable[..., Any]]] = [
    (spot_tokenization, wordpiece_tokenize),
    (spot_tokenization, pieces),
    (spot_embeddings, sinusoidal_encoding),
    (spot_embeddings, waves),
    (spot_attention_scores, scaled),
    (spot_attention_scores, lambda q, k: torch.bmm(q / 5**0.25, k.mT / 5**0.25)),
    (spot_attention_scores, lambda q, k: torch.einsum("bid,bjd->bij", q, k) / math.sqrt(5)),
    (spot_softmax, masked_softmax),
    (spot_softmax, lambda s, m: masked(s, m).softmax(-1)),
    (spot_softmax, lambda s, m: s.masked_fill(m == 0, -1e9).softmax(-1)),
    (spot_softmax, lambda s, m: (s + (1 - m.float()) * -1e9).softmax(-1)),
    (spot_softmax, lambda s, m: (s + m.float().log()).softmax(-1)),
    (spot_softmax, lambda s, m: s.masked_fill(m == 0, torch.finfo(s.dtype).min).softmax(-1)),
    (spot_softmax, lambda s, m: (masked(s, m) - masked(s, m).logsumexp(-1, True)).exp()),
    (spot_multi_head_attention, split_heads),
    (spot_multi_head_attention, lambda x, n: torch.stack(x.chunk(n, -1), 1)),
    (spot_multi_head_attention, lambda x, n: x.view(*x.shape[:2], n, -1).permute(0, 2, 1, 3)),
    (spot_feed_forward, affine),
    (spot_feed_forward, lambda x, w, b, u, c: F.gelu(x @ w.T + b) @ u.T + c),
    (spot_feed_forward, convolved),
    (spot_layer_norm, norm),
    (spot_layer_norm, lambda x, w, b, e: F.layer_norm(x, (4,), w, b, e)),
    (spot_classification_head, F.cross_entropy),
    (spot_classification_head, stepwise),
    (spot_classification_head, lambda x, y: -x.log_softmax(1)[range(len(y)), y].mean()),
]

WRONG: dict[Callable[..., bool], list[Callable[..., Any]]] = {
    spot_tokenization: [
        lambda w, v: pieces(w, v, keep=True),
        lambda w, v: [piece for char in w for piece in pieces(char, v)],
        *(partial(pieces, **odd) for odd in ({"mark": ""}, {"first": "##"}, {"limit": INF})),
        partial(pieces, last=1),
        lambda w, v: pieces(w.lower(), v),
        lambda w, v: pieces(w, {piece: index for piece, index in v.items() if index}),
        lambda w, v: pieces(w, v, shortest=True),
        lambda w, v: [w] if w in v else ["[UNK]"],
        lambda w, v: [piece for piece in v if piece.removeprefix("##") in w],
        lambda w, v: [piece.removeprefix("##") for piece in pieces(w, v)],
        lambda w, v: [v[piece] for piece in pieces(w, v)],
        lambda w, v: pieces(w, v | {"##" + piece: 0 for piece in v}),
        lambda w, v: pieces(w, v) if len(w.encode()) <= 100 else ["[UNK]"],
        lambda w, v: pieces(w, v, limit=INF) if len(pieces(w, v)) <= 100 else ["[UNK]"],
        lambda w, v: ["ab", "##cd"] if w == "abcd" else pieces(w, v),  # goes back
    ],
    spot_embeddings: [
        *(partial(waves, base=base) for base in (1000, 100)),
        *(partial(waves, power=power) for power in (2, 0.5, -1)),
        partial(waves, shift=1),
        partial(waves, cut=True),
        lambda n, d: waves(n, d, power=d / 512),
        lambda n, d: waves(n, d).unflatten(1, (-1, 2)).flip(2).flatten(1),  # cosine first
        lambda n, d: waves(n, d)[:, ::2].repeat_interleave(2, 1),  # sine twice
        lambda n, d: waves(n, d).T,
        lambda n, d: waves(n, d).unsqueeze(0),
        lambda n, d: waves(n, d).double(),
    ],
    spot_attention_scores: [
        *(partial(scaled, by=by) for by in (1, 0.2, 5**0.5, 3**-0.5, 0.5, 1 / 8, math.nan)),
        lambda q, k: scaled(k, q),
        lambda q, k: scaled(q, q),
        lambda q, k: scaled(k, k),
        lambda q, k: scaled(q, k.reshape(2, 5, 4).mT),
        lambda q, k: q @ k.transpose(0, 1) / 5**0.5,
        lambda q, k: q @ k / 5**0.5,
        lambda q, k: q * k / 5**0.5,
        lambda q, k: torch.einsum("bid,cjd->bij", q, k) / 5**0.5,
        lambda q, k: torch.einsum("bid,bjd->ij", q, k) / 5**0.5,
        lambda q, k: scaled(q, k[:1]),
        lambda q, k: F.cosine_similarity(q[:, :, None], k[:, None], dim=-1),
        lambda q, k: scaled(q, k).abs(),
        lambda q, k: scaled(q, k).relu(),
        lambda q, k: scaled(q, k).softmax(-1),
        lambda q, k: scaled(q, k).round(),
        lambda q, k: scaled(q, k).double(),
        lambda q, k: None,
    ],
    spot_softmax: [
        lambda s, m: s.softmax(-1),
        lambda s, m: s.masked_fill(m != 0, -INF).softmax(-1),
        lambda s, m: masked(s, m).softmax(-2),
        lambda s, m: masked(s, m).softmax(0),
        lambda s, m: masked(s, m).log_softmax(-1),
        lambda s, m: masked(s, m).softmax(-1).softmax(-1),
        lambda s, m: masked(s, m).exp() / masked(s, m).exp().sum(-1, True),
        lambda s, m: (z := (masked(s, m) - s.max()).exp()) / z.sum(-1, True),
        lambda s, m: (z := (masked(s, m) - s.amin(-1, True)).exp()) / z.sum(-1, True),
        lambda s, m: (z := (masked(s, m) - s.mean(-1, True)).exp()) / z.sum(-1, True),
        lambda s, m: (z := (masked(s, m) - s.abs().amax(-1, True)).exp()) / z.sum(-1, True),
        lambda s, m: (z := (masked(s, m) - s.amax(-1, True)).exp()) / z.sum(),
        lambda s, m: (z := masked(s, m).softmax(-1)) / z.amax(-1, True),
        lambda s, m: (masked(s, m) * math.log(2)).softmax(-1),
        lambda s, m: masked(s, m).sigmoid(),
        lambda s, m: s.masked_fill(m == 0, 0).softmax(-1),
        lambda s, m: (s * m).softmax(-1),
        lambda s, m: s.softmax(-1) * m,
        lambda s, m: (s + m).softmax(-1),
        lambda s, m: (s + -INF * (1 - m.float())).softmax(-1),
        lambda s, m: s.masked_fill(m == 0, -1e4).softmax(-1),
        lambda s, m: s.masked_fill(m == 0, -10).softmax(-1),
        lambda s, m: masked(s, m.long().sort(-1, descending=True).values).softmax(-1),
        lambda s, m: masked(s, m.long().cummin(-1).values).softmax(-1),
        lambda s, m: masked(s, m[:1]).softmax(-1),
        lambda s, m: masked(s, m.expand_as(s)[:, :1]).softmax(-1),
        lambda s, m: s.masked_fill(~m, -INF).softmax(-1),
        lambda s, m: s.masked_fill((1 - m).bool(), -INF).softmax(-1),
        lambda s, m: s.masked_fill_(m == 0, -INF).softmax(-1),
        *(partial(changed, masked_softmax, at=place) for place in range(2)),
        lambda s, m: F.normalize(s.softmax(-1) * m, p=1, dim=-1, eps=0),
        lambda s, m: s.index_put(((m == 0).nonzero(as_tuple=True)), s.new_tensor(-INF)).softmax(-1),
    ],
    spot_multi_head_attention: [
        lambda x, n: x.view(2, n, 3, -1),
        lambda x, n: x.view(2, 3, -1, n).permute(0, 3, 1, 2),
        lambda x, n: x.view(2, 3, n, -1),
        lambda x, n: x.view(2, 3, n, -1).permute(0, 2, 3, 1),
        lambda x, n: x.view(2, 3, n, -1).permute(2, 0, 1, 3),
        lambda x, n: x.view(2, 3, n, -1).transpose(1, 2).flip(1),
        lambda x, n: x.view(2, 3, -1, n).transpose(1, 2),
        lambda x, n: x.view(2, 3, 4, -1).transpose(1, 2),
        lambda x, n: x.unsqueeze(1).expand(-1, n, -1, -1),
        lambda x, n: torch.stack(x.chunk(n, -1)),
        lambda x, n: split_heads(x, 4),
        lambda x, n: 1 / 0,
    ],
    spot_feed_forward: [
        lambda x, w, b, u, c: F.linear(F.linear(x, w, b), u, c),
        lambda x, w, b, u, c: F.gelu(F.linear(F.linear(x, w, b), u, c)),
        lambda x, w, b, u, c: F.gelu(affine(x, w, b, u, c)),
        lambda x, w, b, u, c: F.linear(F.linear(F.gelu(x), w, b), u, c),
        lambda x, w, b, u, c: affine(x, w, b, u, c, F.relu),
        lambda x, w, b, u, c: affine(x, w, b, u, c, lambda h: F.gelu(h, approximate="tanh")),
        lambda x, w, b, u, c: affine(x, w, b, u, c, lambda h: h * torch.sigmoid(1.702 * h)),
        lambda x, w, b, u, c: affine(x, w, b, u, c, lambda h: h * (1 + torch.erf(h)) / 2),
        lambda x, w, b, u, c: affine(x, w, b, u, c, lambda h: 2 * F.gelu(h)),
        lambda x, w, b, u, c: F.gelu(x @ w.T) @ u.T,
        lambda x, w, b, u, c: F.gelu(x @ w.T + b) @ u.T,
        lambda x, w, b, u, c: F.gelu(x @ w + b) @ u + c,
        lambda x, w, b, u, c: F.gelu(x @ w.reshape(4, 5) + b) @ u.reshape(5, 4) + c,
        lambda x, w, b, u, c: x + affine(x, w, b, u, c),
        lambda x, w, b, u, c: affine(x, w, b[:1].expand_as(b), u, c),
        lambda x, w, b, u, c: affine(x, w, b, u, c[:1].expand_as(c)),
        lambda x, w, b, u, c: F.dropout(affine(x, w, b, u, c), 0.1),
        lambda x, w, b, u, c: affine(x.reshape(3, 2, 4).transpose(0, 1), w, b, u, c),
        lambda x, w, b, u, c: affine(x.mean(1, keepdim=True).expand_as(x), w, b, u, c),
        *(partial(changed, affine, at=place) for place in range(5)),
    ],
    spot_layer_norm: [
        lambda x, w, b, e: norm(x, w, b, e, correction=1),
        lambda x, w, b, e: (x - x.mean(-1, True)) / (x.std(-1, False, True) + e) * w + b,
        *(lambda x, w, b, e, own=own: norm(x, w, b, own) for own in (1e-5, 1e-12, 0)),
        lambda x, w, b, e: (x - x.mean(-1, True)) / (x.var(-1, False, True) + e) * w + b,
        lambda x, w, b, e: x / (x.var(-1, False, True) + e).sqrt() * w + b,
        lambda x, w, b, e: F.rms_norm(x, (4,), w, e) + b,
        lambda x, w, b, e: x - x.mean(-1, True),
        *(partial(norm, dim=dim) for dim in (1, 0, (1, 2), (0, 1))),
        lambda x, w, b, e: F.layer_norm(x, (4,), None, None, e),
        lambda x, w, b, e: norm(x, w, torch.zeros(4), e),
        lambda x, w, b, e: (x - x.mean(-1)) / (x.var(-1) + e).sqrt() * w + b,
        lambda x, w, b, e: norm(x, b, w, e),
        lambda x, w, b, e: norm(x, w[0], b, e),
        lambda x, w, b, e: norm(x, w, b[0], e),
        lambda x, w, b, e: (
            (x - (m := x.mean(-1, True))) / ((x * x).mean(-1, True) - m * m + e).sqrt() * w + b
        ),
        lambda x, w, b, e: norm(x, w, b, max(e, 1e-5)),
        lambda x, w, b, e: norm(x, w, b, e * e),
        *(partial(changed, norm, at=place) for place in range(3)),
    ],
    spot_classification_head: [
        lambda x, y: F.cross_entropy(x.softmax(-1), y),
        *(partial(F.cross_entropy, reduction=kind) for kind in ("sum", "none")),
        lambda x, y: F.cross_entropy(x, y) / x.shape[1],
        lambda x, y: F.cross_entropy(x, y) / math.log(2),
        lambda x, y: -F.cross_entropy(x, y),
        lambda x, y: F.nll_loss(x, y),
        lambda x, y: F.nll_loss(x.softmax(-1), y),
        lambda x, y: F.nll_loss(x.log_softmax(0), y),
        lambda x, y: F.cross_entropy(x, x.argmax(-1)),
        lambda x, y: F.binary_cross_entropy_with_logits(x, F.one_hot(y, x.shape[1]).float()),
        lambda x, y: (x.exp().sum(-1).log() - x[range(len(y)), y]).mean(),
        lambda x, y: ((z := x - x.max()).exp().sum(-1).log() - z[range(len(y)), y]).mean(),
        lambda x, y: -x.softmax(-1)[range(len(y)), y].log().mean(),
        lambda x, y: -(x.softmax(-1)[range(len(y)), y] + 1e-9).log().mean(),
        lambda x, y: F.cross_entropy(x, y).item(),
        lambda x, y: F.cross_entropy(x, y).unsqueeze(0),
        *(partial(changed, cross_entropy, at=place) for place in range(2)),
        lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1),
        lambda x, y: F.cross_entropy(x, y, ignore_index=0),
        lambda x, y: F.binary_cross_entropy_with_logits(x[:, 1] - x[:, 0], y.float()),
        lambda x, y: -x.log_softmax(-1)[:, y].mean(),
    ],
}


@pytest.mark.parametrize("number", range(len(RIGHT)))
def test_right_ones_pass(number: int) -> None:
    spot, candidate = RIGHT[number]
    assert spot(candidate) is True


@pytest.mark.parametrize(
    ("spot", "number"), [(spot, number) for spot in WRONG for number in range(len(WRONG[spot]))]
)
def test_wrong_ones_are_caught(spot: Callable[..., bool], number: int) -> None:
    assert spot(WRONG[spot][number]) is False
