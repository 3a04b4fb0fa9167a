"""Known wrong turns of splitting and merging heads: right shapes numbers in wrong places."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Misconception, Probe, Switches

NONE: Switches = frozenset()


def split_heads(x: Tensor, num_heads: int, on: Switches = NONE) -> Any:
    """The reference with switches."""
    if "detached" in on:
        x = x.detach()
    if "one_head" in on:
        num_heads = 1
    batch, seq, hidden = x.shape
    head_dim = hidden // num_heads
    result = x.reshape(batch, seq, num_heads, head_dim).transpose(1, 2)
    if "no_transpose" in on:
        result = x.reshape(batch, num_heads, seq, head_dim)
    if "interleaved" in on:
        result = x.reshape(batch, seq, head_dim, num_heads).permute(0, 3, 1, 2)
    if "not_moved" in on:
        result = x.reshape(batch, seq, num_heads, head_dim)
    if "heads_first" in on:
        result = result.transpose(0, 1)
    if "features_before_tokens" in on:
        result = result.transpose(2, 3)
    if "features_before_tokens_reshaped" in on:
        result = x.transpose(1, 2).reshape(batch, num_heads, seq, head_dim)
    if "counts_exchanged" in on:
        result = x.reshape(batch, seq, head_dim, num_heads).transpose(1, 2)
    if "sequence_cut" in on:
        result = x.reshape(batch, num_heads, seq // num_heads, hidden)
    if "folded" in on:
        result = result.reshape(batch * num_heads, seq, head_dim)
    if "repeated" in on:
        result = x.unsqueeze(1).expand(-1, num_heads, -1, -1)
    if "reversed" in on:
        result = result.flip(1)
    if "last_axis_kept" in on:
        result = x.reshape(batch, seq, head_dim, num_heads)
    if "batch_and_tokens" in on:
        result = x.reshape(batch, seq, num_heads, head_dim).transpose(0, 1)
    if "as_it_came" in on:
        result = x
    if "listed" in on:
        return list(result.unbind(1))
    return result


def merge_heads(x: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    if "detached" in on:
        x = x.detach()
    batch, heads, seq, head_dim = x.shape
    if "reversed" in on:
        x = x.flip(1)
    if "no_transpose" in on:
        return x.reshape(batch, seq, heads * head_dim)
    if "interleaved" in on:
        return x.permute(0, 2, 3, 1).reshape(batch, seq, heads * head_dim)
    if "wrong_axes" in on:
        return x.transpose(2, 3).reshape(batch, seq, heads * head_dim)
    if "not_merged" in on:
        return x.transpose(1, 2)
    if "along_sequence" in on:
        return x.reshape(batch, heads * seq, head_dim)
    if "summed" in on:
        return x.sum(1)
    if "averaged" in on:
        return x.mean(1)
    if "first_head" in on:
        return x[:, 0]
    if "all_in_one" in on:
        return x.transpose(1, 2).reshape(batch, -1)
    if "batch_lost" in on:
        return x.transpose(1, 2).reshape(batch * seq, heads * head_dim)
    return x.transpose(1, 2).reshape(batch, seq, heads * head_dim)


def split_probes(generator: Generator) -> tuple[Probe, ...]:
    """Every number once; sizes pairwise different, then some that coincide."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return (
        Probe((draw(2, 3, 20), 4), gradient=True),
        Probe((draw(3, 7, 12), 6)),
        Probe((draw(2, 4, 16), 4), label="as many tokens as heads as features in a head"),
        Probe((draw(2, 6, 6), 3), label="a sequence that can be cut as well"),
        Probe((draw(2, 3, 5), 1), label="one head"),
    )


def merge_probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then some that coincide."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return (
        Probe((draw(2, 4, 3, 5),), gradient=True),
        Probe((draw(3, 2, 7, 6),)),
        Probe((draw(2, 4, 4, 4),), label="as many heads as tokens as features"),
        Probe((draw(2, 1, 3, 5),), label="one head"),
    )


VIEW = Misconception(
    "view",
    "`.view` is called on a tensor whose numbers do not lie in memory in the order of its axes "
    "(after a transpose), which PyTorch refuses.",
    "What does a transpose change: the numbers in memory, or only how they are walked through?",
    error=r"view size is not compatible with input tensor's size and stride",
)
_TOKEN = "Which numbers of x should head 0 of the second token hold, and which does it hold now?"
SPLIT = (
    VIEW,
    Misconception(
        "no_transpose",
        "The tensor is viewed straight as [batch, heads, seq, head_dim], without a transpose: the "
        "shape is right, but each head holds features of the wrong tokens.",
        _TOKEN,
    ),
    Misconception(
        "interleaved",
        "The heads are interleaved: each takes every num_heads-th feature instead of a slice of "
        "neighbours. Harmless in training, fatal with loaded weights.",
        "Which features of a token belong to head 0: the first few, or every few?",
    ),
    Misconception(
        "as_it_came",
        "The input comes back as it is: nothing is cut.",
        "How many axes should the result have, and how long should each be?",
    ),
    Misconception(
        "batch_and_tokens",
        "The features are cut, but then batch and sequence change places: [seq, batch, heads, "
        "head_dim].",
        "Over which two axes must each head's attention run, and where do they stand?",
    ),
    Misconception(
        "not_moved",
        "The features are cut, but the heads axis stays behind the sequence: [batch, seq, heads, "
        "head_dim].",
        "Over which two axes must each head's attention run, and where do they stand?",
    ),
    Misconception(
        "heads_first",
        "The heads come before the batch: [heads, batch, seq, head_dim].",
        "Which axis should stay in front?",
    ),
    Misconception(
        "features_before_tokens",
        "Within a head, features and tokens are exchanged: [batch, heads, head_dim, seq].",
        "Which axis should come last, so that a token's features lie side by side?",
    ),
    Misconception(
        "features_before_tokens_reshaped",
        "The sequence and the features are exchanged before the cut, so each head is a mix of "
        "features of many tokens.",
        _TOKEN,
    ),
    Misconception(
        "counts_exchanged",
        "The number of heads and the width of a head are exchanged: there are head_dim heads of "
        "width num_heads.",
        "With hidden 20 and 4 heads, how wide is one head?",
    ),
    Misconception(
        "last_axis_kept",
        "The features are cut into [head_dim, heads] and nothing is moved: the heads axis stands "
        "last.",
        "Where does the heads axis belong, and which features make up one head?",
    ),
    Misconception(
        "sequence_cut",
        "The sequence is cut into pieces instead of the features: each head sees only some "
        "tokens, whole.",
        "What does every head see: all tokens, or all features?",
    ),
    Misconception(
        "folded",
        "The heads are folded into the batch axis: [batch · heads, seq, head_dim]; four axes were "
        "promised.",
        "How many axes should the result have?",
    ),
    Misconception(
        "repeated",
        "Every head gets all features: nothing is cut.",
        "How many numbers should the result have, compared with x?",
    ),
    Misconception(
        "reversed",
        "The heads come in reversed order: head 0 holds the last features.",
        "Which features belong to head 0?",
    ),
    Misconception(
        "one_head",
        "The number of heads is ignored: all features stay in a single head.",
        "What changes in your result when num_heads changes?",
    ),
    Misconception(
        "listed",
        "It returns a list with one tensor for each head; one tensor with four axes was promised.",
        "Which function lays tensors of one shape side by side along a new axis?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches x.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)
MERGE = (
    VIEW,
    Misconception(
        "no_transpose",
        "The heads are reshaped away without a transpose back: the shape is right, but the "
        "features of different tokens are mixed.",
        "Which axis must come just before the features of a head, so that a token's heads lie "
        "side by side?",
    ),
    Misconception(
        "interleaved",
        "The heads are interleaved: feature 0 of all heads first, then feature 1 of all heads.",
        "What should the first head_dim features of a token be?",
    ),
    Misconception(
        "wrong_axes",
        "The last two axes, tokens and features, are exchanged instead of heads and tokens: the "
        "numbers of different tokens are mixed.",
        "Which two axes stand in the wrong order before the heads are laid side by side?",
    ),
    Misconception(
        "not_merged",
        "The axes are exchanged, but the heads are not laid side by side: there are still four "
        "axes.",
        "How many axes should the result have?",
    ),
    Misconception(
        "along_sequence",
        "The heads are laid one after the other along the sequence: [batch, heads · seq, "
        "head_dim].",
        "Should the sequence become longer, or each token wider?",
    ),
    Misconception(
        "summed",
        "The heads are summed instead of laid side by side.",
        "How wide should the result be?",
    ),
    Misconception(
        "averaged",
        "The heads are averaged instead of laid side by side.",
        "How wide should the result be?",
    ),
    Misconception(
        "first_head",
        "Only the first head is left; the others are dropped.",
        "How wide should the result be?",
    ),
    Misconception(
        "reversed",
        "The heads come in reversed order: the last one's features first.",
        "Which head's features come first?",
    ),
    Misconception(
        "all_in_one",
        "All tokens of a sentence end up in one long row: the sequence axis is gone.",
        "How many axes should the result have?",
    ),
    Misconception(
        "batch_lost",
        "Batch and sequence are folded into one axis.",
        "How many axes should the result have?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches x.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)

SUBJECTS = (
    FunctionSubject("split_heads", split_heads, split_probes, SPLIT),
    FunctionSubject("merge_heads", merge_heads, merge_probes, MERGE),
)
