"""Right implementations written in other ways than the reference; knows no learner."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

Function = Callable[..., Any]
INF = math.inf


def longest(fit: list[str], *_: Any) -> str:
    """Of the pieces that fit, the last one, as they stand by their lengths."""
    return fit[-1]


def behind(taken: str, left: str) -> str:
    """What is left behind the piece that was taken from the front."""
    return left[len(taken) :]


def trie_pieces(
    word: str, vocab: dict[str, int], choose: Function = longest, rest: Function = behind
) -> list[str]:
    """WordPiece: the piece to choose of all that fit next, then the same for the rest."""
    pieces: list[str] = []
    left = word if len(word) <= 100 else ""
    while left:
        mark = "##" if pieces else ""
        sizes = range(1, len(left) + 1)
        fit = [piece for n in sizes if (piece := mark + left[:n]) in vocab]
        if not fit:
            return ["[UNK]"]
        pieces.append(choose(fit, vocab, pieces))
        left = rest(pieces[-1].removeprefix(mark), left)
    return pieces if len(word) <= 100 else ["[UNK]"]


def usual_waves(max_len: int, hidden: int) -> Tensor:
    """The sinusoidal table [max_len, hidden], columns two by two."""
    table = torch.zeros(max_len, hidden)
    position = torch.arange(max_len).float().unsqueeze(1)
    rate = torch.exp(torch.arange(0, hidden, 2).float() * (-math.log(1e4) / hidden))
    table[:, 0::2], table[:, 1::2] = torch.sin(position * rate), torch.cos(position * rate)
    return table


def looped_waves(max_len: int, hidden: int) -> Tensor:
    """The same table [max_len, hidden], number by number."""

    def entry(position: int, column: int) -> float:
        angle = position / 10000 ** (column // 2 * 2 / hidden)
        return math.cos(angle) if column % 2 else math.sin(angle)

    return torch.tensor([[entry(p, c) for c in range(hidden)] for p in range(max_len)])


def shifted_waves(max_len: int, hidden: int) -> Tensor:
    """The same table [max_len, hidden], with cosines as shifted sines."""
    column = torch.arange(hidden)
    rate = 10000.0 ** (-(column - column % 2) / hidden)
    phase = column % 2 * (math.pi / 2)
    return torch.sin(torch.outer(torch.arange(max_len).float(), rate) + phase)


def hidden(scores: Tensor, mask: Tensor) -> Tensor:
    """Scores [..., query, key] with −∞ where the mask is 0."""
    return scores.masked_fill(mask == 0, -INF)


def renormalised(scores: Tensor, mask: Tensor) -> Tensor:
    """Attention weights [..., query, key] by a softmax written out."""
    visible = hidden(scores, mask)
    weights = (visible - visible.amax(-1, keepdim=True)).exp()
    return weights / weights.sum(-1, keepdim=True)


def affine(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor, act: Function = F.gelu) -> Tensor:
    """The feed-forward network on x [batch, seq, hidden], by two affine maps."""
    return F.linear(act(F.linear(x, w, b)), u, c)


def convolved(x: Tensor, w: Tensor, b: Tensor, u: Tensor, c: Tensor) -> Tensor:
    """The feed-forward network on x [batch, seq, hidden], by convolutions of width 1."""
    inner = F.gelu(F.conv1d(x.mT, w.unsqueeze(-1), b))
    return F.conv1d(inner, u.unsqueeze(-1), c).mT


def norm(x: Tensor, w: Tensor, b: Tensor, e: Any) -> Tensor:
    """LayerNorm of x [..., hidden], by PyTorch's variance."""
    spread = x.var(-1, correction=0, keepdim=True)
    return (x - x.mean(-1, keepdim=True)) / (spread + e).sqrt() * w + b


def centred_norm(x: Tensor, w: Tensor, b: Tensor, e: float) -> Tensor:
    """LayerNorm of x [..., hidden], by the mean of squares of what is centred."""
    centred = x - x.mean(-1, keepdim=True)
    return centred * torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + e) * w + b


def stepwise_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy of logits [batch, labels] and labels [batch], step by step."""
    shifted = logits - logits.amax(1, keepdim=True)
    return (shifted.exp().sum(1).log() - shifted[range(len(labels)), labels]).mean()


def last_times_zero(logits: Tensor, ids: Tensor) -> Tensor:
    """The loss of next tokens, with a loss of the last logits, too, that counts as nothing."""
    counts = torch.ones(ids.shape, dtype=logits.dtype)
    counts[:, -1] = 0
    surprise = -logits.log_softmax(-1).gather(-1, ids.roll(-1, 1).unsqueeze(-1)).squeeze(-1)
    return (surprise * counts).sum() / counts.sum()


def in_double(function: Function) -> Function:
    """The same function, calculated in float64."""

    def call(*args: Any) -> Any:
        wide = [a.double() if isinstance(a, Tensor) and a.is_floating_point() else a for a in args]
        return function(*wide).float()

    return call


def root(q: Tensor) -> float:
    """√ of the width of queries [..., head_dim]."""
    return math.sqrt(q.shape[-1])
