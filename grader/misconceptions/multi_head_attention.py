"""Known wrong turns of splitting and merging heads: right shapes numbers in wrong places."""

from __future__ import annotations

from typing import Any

import torch
from torch import Generator, Tensor

from .subject import FunctionSubject, Probe
from .switches import NONE, Switches


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


SUBJECTS = (
    FunctionSubject("split_heads", split_heads, split_probes),
    FunctionSubject("merge_heads", merge_heads, merge_probes),
)
