"""Right and wrong implementations that the find-the-mistake exercises are tried on, held by us."""

import math
from collections.abc import Callable

import torch
from torch.nn import functional as F

from solutions.attention_scores import attention_scores
from solutions.classification_head import cross_entropy
from solutions.embeddings import sinusoidal_encoding
from solutions.multi_head_attention import split_heads
from solutions.softmax import masked_softmax
from solutions.tokenization import wordpiece_tokenize
from solutions.writing import next_token_loss

from ...diagnosis.misconceptions.catalogue import let_through, wrong_implementations
from ...diagnosis.misconceptions.spotting import Flawed, Function, Spot, subject_of
from .spot_functions import (
    affine,
    centred_norm,
    convolved,
    hidden,
    in_double,
    last_times_zero,
    looped_waves,
    norm,
    renormalised,
    root,
    shifted_waves,
    stepwise_loss,
    trie_pieces,
    usual_waves,
)
from .spot_mistakes import mistakes, others, taken

# What is judged there as a function.
MODULES = {"spot_feed_forward": "FeedForward", "spot_layer_norm": "LayerNorm"}


def _spot(exercise: str, right: tuple[Function, ...], size: Callable[..., float]) -> Spot:
    """The wrong ones that the data file names: our own, or the solution with its wrong turns."""
    named, own = wrong_implementations(exercise), mistakes(exercise, right[0])
    judged, drawn = MODULES.get(exercise, right[0].__name__), others(exercise, right[0])
    wrong = tuple(
        Flawed(mistake, own.get(name) or taken(judged, name), drawn.get(name))
        for name, mistake in named.items()
    )
    numbers = {name: len(right) + index for index, name in enumerate(named)}
    unseen = {
        id: frozenset(numbers[each] for each in shown)
        for id, shown in let_through(exercise).items()
    }
    return Spot(exercise, judged, right, wrong, size, unseen)


SPOTS = (
    _spot(
        "spot_tokenization",
        (
            wordpiece_tokenize,
            trie_pieces,
            lambda word, vocab: wordpiece_tokenize(word, dict(vocab), "[UNK]", 100),
            lambda word, vocab: list(trie_pieces(word, vocab)),
        ),
        lambda word, vocab: len(word) * 1e3 + len(vocab),
    ),
    _spot(
        "spot_embeddings",
        (
            sinusoidal_encoding,
            usual_waves,
            looped_waves,
            shifted_waves,
            lambda n, d: sinusoidal_encoding(n + 3, d)[:n],
        ),
        lambda n, d: abs(n * d) * 20.0,
    ),
    _spot(
        "spot_attention_scores",
        (
            attention_scores,
            lambda q, k: torch.bmm(q / root(q) ** 0.5, k.mT / root(q) ** 0.5),
            lambda q, k: torch.einsum("bid,bjd->bij", q, k) / root(q),
            lambda q, k: (q.unsqueeze(2) * k.unsqueeze(1)).sum(-1) * q.shape[-1] ** -0.5,
            lambda q, k: (k @ q.mT / root(q)).mT,
            lambda q, k: torch.stack([a @ b.T for a, b in zip(q, k, strict=True)]) / root(q),
            lambda q, k: (q / root(q)) @ k.permute(0, 2, 1),
            in_double(attention_scores),
        ),
        lambda q, k: float(q.numel()) * (k.shape[-2] if k.dim() == 3 == q.dim() else k.numel()),
    ),
    _spot(
        "spot_softmax",
        (
            masked_softmax,
            lambda s, m: hidden(s, m).softmax(-1),
            lambda s, m: s.masked_fill(m == 0, torch.finfo(s.dtype).min).softmax(-1),
            lambda s, m: hidden(s, m).log_softmax(-1).exp(),
            lambda s, m: (s + m.float().log()).softmax(-1),
            lambda s, m: torch.where(m.bool(), s, torch.finfo(s.dtype).min).softmax(-1),
            lambda s, m: (hidden(s, m) - hidden(s, m).logsumexp(-1, True)).exp(),
            renormalised,
            in_double(renormalised),
        ),
        lambda s, m: 3.0 * math.prod(map(max, zip(s.shape[::-1], m.shape[::-1], strict=False))),
    ),
    _spot(
        "spot_multi_head_attention",
        (
            split_heads,
            lambda x, n: torch.stack(x.chunk(n, -1), 1),
            lambda x, n: x.view(*x.shape[:2], n, -1).permute(0, 2, 1, 3),
            lambda x, n: x.unflatten(-1, (n, -1)).transpose(1, 2).contiguous(),
            lambda x, n: torch.stack(x.split(x.shape[-1] // n, 2)).movedim(0, 1),
            lambda x, n: torch.einsum("bsnd->bnsd", x.reshape(*x.shape[:2], n, x.shape[-1] // n)),
            lambda x, n: x.mT.reshape(x.shape[0], n, -1, x.shape[1]).mT,
            lambda x, n: torch.cat([part.unsqueeze(1) for part in x.tensor_split(n, -1)], 1),
        ),
        lambda x, n: 5.0 * x.numel(),  # each is moved, by some head after head
    ),
    _spot(
        "spot_feed_forward",
        (
            affine,
            convolved,
            lambda x, w, b, u, c: F.gelu(x @ w.T + b) @ u.T + c,
            lambda x, w, b, u, c: torch.einsum("oi,bsi->bso", u, F.gelu(F.linear(x, w, b))) + c,
            lambda x, w, b, u, c: affine(
                x, w, b, u, c, lambda h: h * (1 + torch.erf(h / math.sqrt(2))) / 2
            ),
            lambda x, w, b, u, c: torch.stack([affine(row, w, b, u, c) for row in x]),
            lambda x, w, b, u, c: affine(x.flatten(0, 1), w, b, u, c).unflatten(0, x.shape[:2]),
            in_double(affine),
        ),
        lambda x, w, b, u, c: float(x.numel()) * (1 + w.shape[0]) + u.numel(),
    ),
    _spot(
        "spot_layer_norm",
        (
            norm,
            centred_norm,
            lambda x, w, b, e: F.layer_norm(x, x.shape[-1:], w, b, e),
            lambda x, w, b, e: torch.stack([norm(row, w, b, e) for row in x]),
            lambda x, w, b, e: torch.addcmul(b, centred_norm(x, w.new_ones(()), 0 * b, e), w),
            lambda x, w, b, e: F.layer_norm(x, x.shape[-1:], None, None, e) * w + b,
            lambda x, w, b, e: norm(x.flatten(0, 1), w, b, e).view_as(x),
            in_double(norm),
        ),
        lambda x, w, b, e: 3.0 * x.numel(),
    ),
    _spot(
        "spot_classification_head",
        (
            cross_entropy,
            F.cross_entropy,
            stepwise_loss,
            lambda x, y: -x.log_softmax(1)[range(len(y)), y].mean(),
            lambda x, y: F.nll_loss(x.log_softmax(-1), y),
            lambda x, y: (x.logsumexp(1) - x.gather(1, y[:, None])[:, 0]).sum() / len(y),
            lambda x, y: -(F.one_hot(y, x.shape[1]) * x.log_softmax(1)).sum() / len(y),
            in_double(F.cross_entropy),
        ),
        lambda x, y: float(x.numel()) + float(y.numel()) ** 2,
    ),
    _spot(
        "spot_writing",
        (
            next_token_loss,
            lambda x, y: F.cross_entropy(x[:, :-1].mT, y[:, 1:]),
            lambda x, y: F.cross_entropy(x[:, :-1].flatten(0, 1), y[:, 1:].flatten()),
            lambda x, y: stepwise_loss(x[:, :-1].flatten(0, 1), y[:, 1:].flatten()),
            lambda x, y: -x[:, :-1].log_softmax(-1).gather(-1, y[:, 1:, None]).mean(),
            lambda x, y: torch.stack(
                [F.cross_entropy(x[:, i], y[:, i + 1]) for i in range(y.shape[1] - 1)]
            ).mean(),
            lambda x, y: F.cross_entropy(
                x.mT, F.pad(y[:, 1:], (0, 1), value=-100), ignore_index=-100
            ),
            last_times_zero,
            in_double(next_token_loss),
        ),
        lambda x, y: float(x.numel()) + float(y.numel()) ** 2,
    ),
)

SUBJECTS = tuple(subject_of(spot) for spot in SPOTS)
