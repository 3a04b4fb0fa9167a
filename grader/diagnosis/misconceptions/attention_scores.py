"""Scaled dot products with their wrong turns: scale, transpose, pairing of queries and keys."""

import math
from collections.abc import Callable

import torch
from torch import Generator, Tensor

from .function_subject import FunctionSubject, Probe, standard_normal
from .switches import NONE, Switches, applied, chosen

# What the products are divided by, from query [..., query, width] and key [..., key, width].
SCALES: dict[str, Callable[[Tensor, Tensor], float]] = {
    "unscaled": lambda query, key: 1.0,
    "scaled_after_softmax": lambda query, key: 1.0,
    "cosine": lambda query, key: 1.0,
    "cosine_scaled": lambda query, key: math.sqrt(query.shape[-1]),
    "scaled_by_width": lambda query, key: query.shape[-1],
    "scaled_by_model_root": lambda query, key: math.sqrt(query.shape[1] * query.shape[-1]),
    "scaled_by_model": lambda query, key: query.shape[1] * query.shape[-1],
    "scaled_by_heads_root": lambda query, key: math.sqrt(query.shape[1]),
    "scaled_by_root_of_queries": lambda query, key: math.sqrt(query.shape[-2]),
    "scaled_by_root_of_keys": lambda query, key: math.sqrt(key.shape[-2]),
    "scaled_by_keys": lambda query, key: key.shape[-2],
    "scaled_by_root_of_batch": lambda query, key: math.sqrt(query.shape[0]),
    "scale_multiplied": lambda query, key: 1 / math.sqrt(query.shape[-1]),
    "multiplied_by_width": lambda query, key: 1 / query.shape[-1],
    "scaled_by_fourth_root": lambda query, key: query.shape[-1] ** 0.25,
    "scaled_by_eight": lambda query, key: 8.0,
    "scaled_by_root_of_512": lambda query, key: math.sqrt(512),
    "scaled_by_root_of_768": lambda query, key: math.sqrt(768),
    "scaled_by_root_of_two_width": lambda query, key: math.sqrt(2 * query.shape[-1]),
    "scaled_by_square": lambda query, key: query.shape[-1] ** 2,
}
PRODUCTS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "reshaped": lambda query, key: (
        query @ key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])
    ),
    "not_transposed": lambda query, key: query @ key,
    "first_axes": lambda query, key: query @ key.transpose(0, 1),
    "all_axes": lambda query, key: query @ key.permute(*range(key.dim() - 1, -1, -1)),
    "elementwise": lambda query, key: query * key,
    "mixed_batch": lambda query, key: torch.einsum("bid,cjd->bij", query, key),
    "summed_batch": lambda query, key: torch.einsum("bid,bjd->ij", query, key),
    "same_for_all": lambda query, key: torch.einsum("bid,bjd->ij", query, key).repeat(
        len(query), 1, 1
    ),
    "paired": lambda query, key: (query * key).sum(-1),
    "distance": lambda query, key: -((query.unsqueeze(-2) - key.unsqueeze(-3)) ** 2).sum(-1),
    "added": lambda query, key: (query.unsqueeze(-2) + key.unsqueeze(-3)).sum(-1),
}
# What is done to the scores.
STEPS: dict[str, Callable[[Tensor], Tensor]] = {
    "heads_mixed_in_scores": lambda x: x.sum(1, keepdim=True).expand(x.shape),
    "scores_transposed": lambda x: x.transpose(-2, -1),
    "absolute_scores": torch.abs,
    "relu_scores": torch.relu,
    "negated": torch.neg,
    "squared": torch.square,
    "rounded": torch.round,
    "tanh": torch.tanh,
    "softmaxed": lambda x: x.softmax(-1),
    "softmaxed_over_queries": lambda x: x.softmax(-2),
    "double": Tensor.double,
}


def attention_scores(query: Tensor, key: Tensor, on: Switches = NONE) -> Tensor:
    """The reference with switches; of heads too, where queries and keys have an axis of them."""
    scales = [SCALES[name](query, key) for name in SCALES if name in on]
    scale = math.prod(scales) if scales else math.sqrt(query.shape[-1])
    if "queries_with_queries" in on:
        key = query
    if "keys_with_keys" in on:
        query = key
    if "first_keys" in on:
        key = key[:1]
    if on & {"cosine", "cosine_scaled"}:
        query = query / query.norm(dim=-1, keepdim=True)
        key = key / key.norm(dim=-1, keepdim=True)
    product = chosen(PRODUCTS, on, lambda query, key: query @ key.transpose(-2, -1))
    return applied(STEPS, on, product(query, key) / scale)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """Sizes pairwise different, then the coincidences under which a wrong axis raises no error."""
    draw = standard_normal(generator)
    return (
        Probe((draw(2, 3, 7), draw(2, 5, 7)), label="all sizes different", gradient=True),
        Probe((draw(3, 6, 4), draw(3, 2, 4))),
        Probe((draw(2, 5, 3), draw(2, 5, 3)), label="as many queries as keys"),
        Probe((draw(4, 4, 4), draw(4, 4, 4)), label="all sizes equal"),
        Probe((draw(2, 4, 4), draw(2, 4, 4)), label="as many keys as features"),
    )


SUBJECTS = (FunctionSubject("attention_scores", attention_scores, probes),)
