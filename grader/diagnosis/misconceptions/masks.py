"""Known wrong turns of the two masks: polarity, place of the new axis, off by one, dtype."""

from __future__ import annotations

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def padding_mask(attention_mask: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    keep = attention_mask.bool()
    if "inverted" in on:
        keep = ~keep
    if "first_row" in on:
        keep = keep[:1].expand_as(keep)
    if "all_true" in on:
        keep = torch.ones_like(keep)
    if "no_axis" in on:
        result = keep
    elif "over_queries" in on:
        result = keep.unsqueeze(2)
    elif "axis_first" in on:
        result = keep.unsqueeze(0)
    elif "four_axes" in on:
        result = keep[:, None, None, :]
    elif "outer" in on:
        result = keep.unsqueeze(1) & keep.unsqueeze(2)
    elif "expanded" in on:
        result = keep.unsqueeze(1).expand(-1, keep.shape[1], -1)
    elif "causal" in on:
        result = keep.unsqueeze(1) & torch.ones(2 * keep.shape[1:], dtype=torch.bool).tril()
    else:
        result = keep.unsqueeze(1)
    return _typed(result, attention_mask.dtype, on)


def causal_mask(seq_len: int, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    ones = torch.ones(seq_len, seq_len, dtype=torch.bool)
    diagonal = 0
    if "self_hidden" in on:
        diagonal = -1
    if "one_ahead" in on:
        diagonal = 1
    result = ones.tril(diagonal)
    if "upper" in on:
        result = ones.triu(-diagonal)
    if "inverted" in on:
        result = ~result
    if "self_only" in on:
        result = torch.eye(seq_len, dtype=torch.bool)
    if "all_true" in on:
        result = ones
    if "flipped" in on:
        result = result.flip(1)
    if "batch_axis" in on:
        result = result.unsqueeze(0)
    if "four_axes" in on:
        result = result[None, None]
    if "one_longer" in on:
        result = causal_mask(seq_len + 1, on - {"one_longer"})
    return _typed(result, torch.int64, on)


def _typed(keep: Tensor, given: torch.dtype, on: Switches) -> Tensor:
    if "integers" in on:
        return keep.to(given if given != torch.bool else torch.int64)
    if "floats" in on:
        return keep.float()
    if "additive" in on:
        return torch.zeros(keep.shape).masked_fill(~keep, float("-inf"))
    if "additive_finite" in on:
        return (1.0 - keep.float()) * -1e9
    if "additive_lowest" in on:
        return (1.0 - keep.float()) * torch.finfo(torch.float32).min
    return keep


def padding_probes(generator: Generator) -> tuple[Probe, ...]:
    """Integers and bools, padded and not, a square one; the first row is padded."""
    bits = torch.randint(0, 2, (3, 5), generator=generator)
    bits[:, 0] = 1
    bits[0, -1] = 0
    bits[1, -1] = 1
    return (
        Probe((torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1]]),)),
        Probe((bits,)),
        Probe((bits.bool(),), label="a bool mask"),
        Probe((torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0]]),), label="as many rows as tokens"),
        Probe((torch.ones(4, 2, dtype=torch.int64),), label="nothing is padded"),
    )


def causal_probes(generator: Generator) -> tuple[Probe, ...]:
    """A few lengths, 1 among them."""
    return tuple(Probe((length,)) for length in (4, 1, 7, 2))


_BOOL = "What does the promise say about the dtype of what comes back?"
_LARGE = (
    Misconception(
        "additive_finite",
        "It returns an additive mask, 0 and −1e9, instead of True and False.",
        _BOOL,
    ),
    Misconception(
        "additive_lowest",
        "It returns an additive mask, 0 and the lowest number that float32 has, instead of True "
        "and False.",
        _BOOL,
    ),
)
PADDING = (
    Misconception(
        "inverted",
        "The mask is inverted: padding may be attended to and real tokens may not. True must mean "
        "“may attend” here, as 1 does in the tokenizer's mask.",
        "Which value does the tokenizer give to a real token, and what should become of it?",
    ),
    Misconception(
        "no_axis",
        "The values are right but the query axis is missing: [batch, seq] broadcasts against "
        "[batch, query, key] in the wrong way, or not at all.",
        "Which axis of [batch, query, key] does your mask say nothing about?",
    ),
    Misconception(
        "over_queries",
        "The new axis stands last: [batch, seq, 1] hides the queries at padded positions and "
        "leaves the padded keys visible.",
        "Should padding be hidden as a row or as a column of the score matrix?",
    ),
    Misconception(
        "axis_first",
        "The new axis stands first: [1, batch, seq] takes the sentences for queries.",
        "Between which two axes does the query axis of [batch, query, key] stand?",
    ),
    Misconception(
        "four_axes",
        "There is an axis too many, [batch, 1, 1, seq]: that is the mask for scores with a heads "
        "axis.",
        "How many axes do the scores of this chapter have?",
    ),
    Misconception(
        "outer",
        "Padded queries are hidden as well as padded keys, so their rows have nothing to attend "
        "to, which becomes nan in a softmax.",
        "What does a softmax make of a row in which everything is hidden?",
    ),
    Misconception(
        "expanded",
        "The values are right, but the query axis is written out to full length instead of 1.",
        "Which length of the query axis broadcasts to any number of queries?",
    ),
    Misconception(
        "causal",
        "The mask also hides the future, which is the business of the other mask.",
        "May a word of a sentence that is only padded look to its right?",
    ),
    Misconception(
        "first_row",
        "The first sentence's padding is used for every sentence of the batch.",
        "What is right for the first sentence and wrong for the others?",
    ),
    Misconception(
        "all_true",
        "Every position may be attended to: the padding is never hidden.",
        "Does your result depend on the zeros that come in?",
    ),
    Misconception("integers", "The values are right but they are integers, not bool.", _BOOL),
    Misconception("floats", "The values are right but they are floats, not bool.", _BOOL),
    Misconception(
        "additive",
        "It returns an additive mask, 0 and −inf, instead of True and False.",
        _BOOL,
    ),
    *_LARGE,
)
CAUSAL = (
    Misconception(
        "upper",
        "The triangle is the wrong one (upper instead of lower): each position sees itself and the "
        "future, and the past is hidden.",
        "In row i, which columns j came before?",
    ),
    Misconception(
        "inverted",
        "The mask is inverted: True where the future is. True must mean “may attend” here.",
        "In the first row, which single entry should be True?",
    ),
    Misconception(
        "self_hidden",
        "Off by one: each position is hidden from itself, and the first has nothing to attend to.",
        "May a token attend to itself, and what would be left for the first one otherwise?",
    ),
    Misconception(
        "one_ahead",
        "Off by one: each position also sees the next one, so in training it can read the answer.",
        "What is the model to predict at position i, and where does that stand?",
    ),
    Misconception(
        "self_only",
        "Each position sees itself alone: the past is hidden along with the future.",
        "Which positions before it should the last row be able to see?",
    ),
    Misconception(
        "all_true",
        "Every position may attend to every other: nothing is hidden.",
        "What should stand in the last column of the first row?",
    ),
    Misconception(
        "flipped",
        "The triangle is mirrored left to right: it hides by distance from the end of the row.",
        "Which entries of the first row should be True?",
    ),
    Misconception("floats", "The values are right but they are floats, not bool.", _BOOL),
    Misconception("integers", "The values are right but they are integers, not bool.", _BOOL),
    Misconception(
        "additive",
        "It returns an additive mask, 0 and −inf, instead of True and False.",
        _BOOL,
    ),
    *_LARGE,
    Misconception(
        "batch_axis",
        "The values are right, but there is a batch axis in front: [1, seq, seq].",
        "What shape was promised?",
    ),
    Misconception(
        "four_axes",
        "The values are right, but there are two axes in front, [1, 1, seq, seq]: that is the mask "
        "for scores with a heads axis.",
        "How many axes do the scores of this chapter have?",
    ),
    Misconception(
        "one_longer",
        "The mask is one position too long in both directions.",
        "How many rows does a sequence of length 4 need?",
    ),
)

SUBJECTS = (
    FunctionSubject("padding_mask", padding_mask, padding_probes, PADDING),
    FunctionSubject("causal_mask", causal_mask, causal_probes, CAUSAL),
)
