"""Draws inputs that the docstrings allow, odd ones too, to tell two implementations apart."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

Args = tuple[Any, ...]
Draw = random.Random
_SIGNS = (
    "a b cd É é ß İ ß ά 中 文 한 ぬ 𠀀 㐀 . , - ' ! $ ^ ~ … “ — ¡ \t \n \r \u00a0 \u2028 \x00 \x07"
)
_SIGNS += (
    " \ufffd \u200b \ue000 \u0301 \u0345 \u0903 [MASK] [mask] [CLS] [UNK] [PAD] [SEP] x[SEP]y [ ]"
)
_WORDS = ("time", "flies", "like", "an", "arrow", "abs", ".", ",", "zebra", "fruit", "bananas", "")


def inputs(exercise: str, seed: int) -> Args:
    """The arguments of one call of a function."""
    draw = random.Random(f"{exercise} {seed}")
    torch.default_generator.manual_seed(seed)
    return DRAWN[exercise](draw)


def sizes(draw: Draw, count: int, most: int = 6) -> list[int]:
    return [draw.randint(1, most) for _ in range(count)]


def _x(draw: Draw, *shape: int) -> Tensor:
    """Float numbers of any scale; now and then all alike, far off or in 64 bits."""
    x = torch.randn(*shape) * draw.choice((1e-4, 0.1, 1, 1, 1, 3, 30))
    x = x + draw.choice((0, 0, 0, 0, 1, -100, 300))
    return torch.full_like(x, 0.5) if draw.random() < 0.05 else x


def _hidden(draw: Draw, *shape: int) -> Tensor:
    x = torch.randn(*shape)
    return x.double() if draw.random() < 0.2 else x


def _tokens(draw: Draw, batch: int, seq: int) -> Tensor:
    """[batch, seq], 1 = a token: each row has one."""
    mask = torch.rand(batch, seq) < draw.choice((0.2, 0.6, 1.0))
    mask[torch.arange(batch), torch.randint(0, seq, (batch,))] = True
    return _as_mask(draw, mask)


def _as_mask(draw: Draw, mask: Tensor) -> Tensor:
    return mask.to(draw.choice((torch.bool, torch.int64, torch.int32, torch.uint8)))


def mask_for(draw: Draw, batch: int, queries: int, keys: int) -> Tensor:
    """Broadcasts to [batch, query, key]: every query has a key."""
    shape = draw.choice(
        ((batch, queries, keys), (batch, 1, keys), (1, queries, keys), (1, 1, keys))
    )
    mask = torch.rand(shape) < draw.choice((0.3, 0.6, 1.0))
    mask[..., draw.randrange(keys)] = True
    return _as_mask(draw, mask)


def text(draw: Draw) -> str:
    """Letters, accents, signs, white space, control characters, special tokens."""
    signs = [*_SIGNS.split(" "), "\ud800", " ", " "]
    return "".join(draw.choice(signs) for _ in range(draw.randint(0, 9)))


def _word(draw: Draw) -> Args:
    pieces = ["[UNK]"] + [
        draw.choice(("", "##"))
        + "".join(draw.choice("abB") for _ in range(draw.choice((1, 1, 2, 3))))
        for _ in range(draw.randint(0, 9))
    ]
    word = "".join(draw.choice("aabB") for _ in range(draw.choice((1, 2, 4, 6, 99, 100, 101))))
    options = draw.choice(((), ("<?>",), ("[UNK]", draw.randint(0, 6))))
    return (word, {piece: index for index, piece in enumerate(pieces)}, *options)


def _encoded(draw: Draw) -> Args:
    def line() -> str:
        return " ".join(draw.choice(_WORDS) for _ in range(draw.randint(0, 7)))

    names = ("[UNK]", "[CLS]", "[SEP]", "time", "flies", "like", "ar", "##row", "an", ".", "abs")
    second = draw.choice((None, "", line(), line()))
    vocab = {n: 3 + i for i, n in enumerate(names)}
    if draw.random() < 0.05:  # so long that the usual length cuts it
        return line(), (line() + " flies") * 520, vocab
    return line(), second, vocab, draw.randint(3, 16)


def _softmax(draw: Draw) -> Args:
    shape = sizes(draw, draw.randint(1, 4))
    x, dim = _x(draw, *shape), draw.randrange(-len(shape), len(shape))
    if draw.random() < 0.3:
        x = x + torch.randn_like(x).sign() * 500
    if draw.random() < 0.3 and shape[dim] > 1:
        hidden = torch.rand_like(x) < 0.3
        first = torch.zeros(1, dtype=torch.long)
        x = x.masked_fill(hidden.index_fill(dim, first, False), -torch.inf)
    return x, dim


def _attention(draw: Draw) -> Args:
    batch, queries, keys, width, value = sizes(draw, 5)
    given = (
        _x(draw, batch, queries, width),
        _x(draw, batch, keys, width),
        _x(draw, batch, keys, value),
    )
    return (*given, draw.choice((None, mask_for(draw, batch, queries, keys))))


def _masked(draw: Draw) -> Args:
    batch, queries, keys = sizes(draw, 3)
    return _x(draw, batch, queries, keys) * 3, mask_for(draw, batch, queries, keys)


def _lookup(draw: Draw) -> Args:
    batch, seq, vocab, hidden = sizes(draw, 4)
    return torch.randint(0, vocab, (batch, seq)), _hidden(draw, vocab, hidden)


def _scores(draw: Draw) -> Args:
    batch, queries, keys, width = sizes(draw, 4)
    return _x(draw, batch, queries, width), _x(draw, batch, keys, width)


def _split(draw: Draw) -> Args:
    batch, seq, heads, width = sizes(draw, 4)
    return torch.randn(batch, seq, heads * width), heads


def _loss(draw: Draw) -> Args:
    rows, labels = sizes(draw, 2)
    return _x(draw, rows, labels) * 5, torch.randint(0, labels, (rows,))


def _pool(draw: Draw) -> Args:
    batch, seq, hidden = sizes(draw, 3)
    return _hidden(draw, batch, seq, hidden), _tokens(draw, batch, seq)


def _padded(draw: Draw) -> Args:
    rows = [
        [draw.randint(0, 3) for _ in range(draw.randint(0, 4))] for _ in range(sizes(draw, 1)[0])
    ]
    return [*rows, [2]], draw.randint(0, 3)


def _next_tokens(draw: Draw) -> Args:
    batch, seq, vocab = draw.randint(1, 4), draw.randint(2, 6), draw.randint(2, 6)
    return _x(draw, batch, seq, vocab).float(), torch.randint(vocab, (batch, seq))


def _texts(draw: Draw) -> Args:
    batch, seq, vocab = sizes(draw, 3)
    scores, goal = _x(draw, batch, seq, vocab).float() * 5, torch.randint(vocab, (batch, seq))
    return scores, goal, draw.randrange(vocab)


def _rows(draw: Draw) -> Args:
    batch, seq = draw.randint(1, 4), draw.randint(1, 8)
    return (torch.randint(draw.choice((3, 10, 30)), (batch, seq)),)


def _repeated(draw: Draw) -> Args:
    batch, heads, seq = sizes(draw, 3)
    later = torch.ones(seq, seq, dtype=torch.bool).triu(1)
    attention = torch.randn(batch, heads, seq, seq).masked_fill(later, -torch.inf).softmax(-1)
    return attention, torch.randint(draw.randint(1, 4), (batch, seq))


def _probed(draw: Draw) -> Args:
    words, hidden, questions = sizes(draw, 3)
    vectors, asked = torch.randn(words, hidden), torch.randn(questions, hidden)
    return vectors, torch.randint(2, (words,)), asked, draw.choice((0.1, 1.0, 10.0))


def _patched(draw: Draw) -> Args:
    batch, seq, heads, width = sizes(draw, 4)
    found, instead = torch.randn(2, batch, seq, heads * width)
    return found, instead, draw.randrange(heads), heads


def _ways(draw: Draw) -> Args:
    changes, pairs = sizes(draw, 2)
    start, goal = torch.randn(2, pairs)
    return torch.randn(changes, pairs), start, goal


DRAWN: dict[str, Callable[[Draw], Args]] = {
    "sentence_vector": lambda draw: (_x(draw, *sizes(draw, 3)),),
    "split_words": lambda draw: (text(draw),),
    "wordpiece_tokenize": _word,
    "encode": _encoded,
    "pad_batch": _padded,
    "embed_one_hot": _lookup,
    "sinusoidal_encoding": lambda draw: (draw.randint(1, 60), 2 * draw.randint(1, 12)),
    "attention_scores": _scores,
    "padding_mask": lambda draw: (_tokens(draw, *sizes(draw, 2)),),
    "causal_mask": lambda draw: (draw.randint(1, 9),),
    "softmax": _softmax,
    "masked_softmax": _masked,
    "scaled_dot_product_attention": _attention,
    "split_heads": _split,
    "merge_heads": lambda draw: (torch.randn(*sizes(draw, 4)),),
    "gelu": lambda draw: (_x(draw, *sizes(draw, draw.randint(1, 4))),),
    "cross_entropy": _loss,
    "mean_pool": _pool,
    "next_token_loss": _next_tokens,
    "sequence_log_prob": _texts,
    "induction_score": _repeated,
    "linear_probe": _probed,
    "patch_head": _patched,
    "share_of_way": _ways,
    **dict.fromkeys(("sealed_a", "sealed_b", "sealed_c"), _rows),
}


def config(draw: Draw) -> SimpleNamespace:
    """Sizes of a small model, any of which may coincide."""
    heads = draw.randint(1, 3)
    return SimpleNamespace(
        vocab_size=draw.randint(5, 9),
        hidden_size=heads * draw.randint(2, 4),
        num_hidden_layers=draw.randint(1, 3),
        num_attention_heads=heads,
        intermediate_size=draw.randint(4, 9),
        max_position_embeddings=draw.randint(7, 9),
        type_vocab_size=draw.randint(2, 3),
        hidden_dropout_prob=draw.choice((0.0, 0.1, 0.4)),
        attention_probs_dropout_prob=0.1,
        layer_norm_eps=draw.choice((1e-12, 1e-5, 0.1)),
        hidden_act="gelu",
        pad_token_id=0,
        num_labels=draw.randint(2, 4),
    )


def module_arguments(exercise: str, draw: Draw) -> Args:
    """What an exercise's class is built with."""
    if exercise == "AttentionHead":
        return tuple(sizes(draw, 2))
    if exercise == "AdditiveScores":
        return tuple(sizes(draw, 3))
    if exercise == "LayerNorm":
        eps = draw.choice(((), (1e-12,), (1e-5,), (0.1,)))
        return (draw.randint(2, 7), *eps)
    given = config(draw)
    if exercise == "MultiHeadAttention" and given.num_attention_heads > 1 and draw.random() < 0.1:
        given.hidden_size += 1  # which no number of heads divides
    return (given,)


def module_inputs(exercise: str, given: Args, draw: Draw) -> Args:
    """What a module of these arguments is called with."""
    batch, length, keys = sizes(draw, 3)
    width = given[0] if isinstance(given[0], int) else given[0].hidden_size
    x = torch.randn(batch, length, width)
    masks = draw.choice(((), (None,), (mask_for(draw, batch, length, length),)))
    if exercise == "AdditiveScores":
        return x, torch.randn(batch, keys, given[1])
    if exercise in ("CrossAttention", "TransformerDecoderLayer"):
        masks = draw.choice(((), (mask_for(draw, batch, length, keys),)))
        return (x, torch.randn(batch, keys, width), *masks)
    if exercise in ("FeedForward", "LayerNorm", "Pooler"):
        return (x * draw.choice((1, 1, 1e-4, 30)) + draw.choice((0, 0, 100)),)
    if isinstance(given[0], int) or not hasattr(given[0], "vocab_size"):
        return (x, *masks)
    if exercise in ("MultiHeadAttention", "TransformerEncoderLayer", "PostNormEncoderLayer"):
        return (x, *masks)
    ids = torch.randint(0, given[0].vocab_size, (batch, length))
    types = torch.randint(0, given[0].type_vocab_size, (batch, length))
    if exercise == "Embeddings":
        return draw.choice(((ids,), (ids, types)))
    mask = _tokens(draw, batch, length)
    extra = ((ids, mask, types),) if exercise == "BertEncoder" else ()
    return draw.choice(((ids,), (ids, mask), *extra))
