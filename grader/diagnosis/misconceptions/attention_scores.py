"""Known wrong turns of scaled dot products: scale, transpose, pairing of queries and keys."""

from __future__ import annotations

import math

import torch
from torch import Generator, Tensor

from .attention_scores_words import MISCONCEPTIONS
from .function_subject import FunctionSubject, Probe, Switches

NONE: Switches = frozenset()


def attention_scores(query: Tensor, key: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches."""
    scale = _scale(query, key, on)
    if "query_query" in on:
        key = query
    if "key_key" in on:
        query = key
    if "first_keys" in on:
        key = key[:1]
    if "cosine" in on:
        query = query / query.norm(dim=-1, keepdim=True)
        key = key / key.norm(dim=-1, keepdim=True)
    if "detached" in on:
        query = query.detach()
        key = key.detach()
    result = _product(query, key, on) / scale
    if "transposed" in on:
        result = result.transpose(-2, -1)
    if "absolute" in on:
        result = result.abs()
    if "relu" in on:
        result = result.relu()
    if "negated" in on:
        result = -result
    if "squared" in on:
        result = result * result
    if "rounded" in on:
        result = result.round()
    if "tanh" in on:
        result = result.tanh()
    if "softmaxed" in on:
        result = result.softmax(-1)
    if "softmaxed_over_queries" in on:
        result = result.softmax(-2)
    if "double" in on:
        result = result.double()
    return result


def _scale(query: Tensor, key: Tensor, on: Switches) -> float:
    width = query.shape[-1]
    scales = {
        "unscaled": 1.0,
        "by_width": float(width),
        "by_root_of_queries": math.sqrt(query.shape[-2]),
        "by_root_of_keys": math.sqrt(key.shape[-2]),
        "by_root_of_batch": math.sqrt(query.shape[0]),
        "multiplied": 1 / math.sqrt(width),
        "multiplied_by_width": 1 / width,
        "by_fourth_root": width**0.25,
        "fixed_64": 8.0,
        "fixed_512": math.sqrt(512),
        "fixed_768": math.sqrt(768),
        "by_root_of_two_width": math.sqrt(2 * width),
        "by_square": float(width * width),
        "by_keys": float(key.shape[-2]),
        "cosine": 1.0,
    }
    chosen = [scales[name] for name in scales if name in on]
    return math.prod(chosen) if chosen else math.sqrt(width)


def _product(query: Tensor, key: Tensor, on: Switches) -> Tensor:
    if "reshaped" in on:
        return query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    if "not_transposed" in on:
        return query @ key
    if "first_axes" in on:
        return query @ key.transpose(0, 1)
    if "all_axes" in on:
        return query @ key.permute(*range(key.dim() - 1, -1, -1))
    if "elementwise" in on:
        return query * key
    if "mixed_batch" in on:
        return torch.einsum("bid,cjd->bij", query, key)
    if "summed_batch" in on:
        return torch.einsum("bid,bjd->ij", query, key)
    if "paired" in on:
        return (query * key).sum(-1)
    if "distance" in on:
        return -((query.unsqueeze(-2) - key.unsqueeze(-3)) ** 2).sum(-1)
    if "added" in on:
        return (query.unsqueeze(-2) + key.unsqueeze(-3)).sum(-1)
    return query @ key.transpose(-2, -1)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then the coincidences under which a wrong axis raises no error."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    return (
        Probe((draw(2, 3, 7), draw(2, 5, 7)), label="all sizes different", gradient=True),
        Probe((draw(3, 6, 4), draw(3, 2, 4))),
        Probe((draw(2, 5, 3), draw(2, 5, 3)), label="as many queries as keys"),
        Probe((draw(4, 4, 4), draw(4, 4, 4)), label="all sizes equal"),
        Probe((draw(2, 4, 4), draw(2, 4, 4)), label="as many keys as features"),
    )


SUBJECTS = (FunctionSubject("attention_scores", attention_scores, probes, MISCONCEPTIONS),)
