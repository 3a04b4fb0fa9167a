"""Scaled dot-product attention with its wrong turns: those of its parts, and of joining them."""

import math
from typing import Any

import torch
from torch import Generator, Tensor

from .attention_scores import attention_scores
from .function_subject import FunctionSubject, Probe, standard_normal
from .masked_softmax import masks, visible, weights_of
from .softmax import softmax
from .switches import NONE, Switches, chosen


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, on: Switches = NONE
) -> Any:
    """The reference with switches."""
    if "value_as_key" in on:
        key = value
    if "no_scores" in on:
        return value.mean(1, keepdim=True).expand(-1, query.shape[1], -1)
    keep = None if mask is None else visible(mask, on)
    inner = on - {"double"}
    if "scaled_by_root_of_value_width" in on:
        query = query * math.sqrt(query.shape[-1] / value.shape[-1])
    if "softmax_last" in on:
        scores = attention_scores(query, key, inner)
        scores = scores if keep is None else scores.masked_fill(~keep, -math.inf)
        return softmax(scores @ value, -1)
    weights = attention_weights(query, key, keep, inner)
    if "returns_weights" in on:
        return weights
    if "first_values" in on:
        value = value[:1]
    if "values_reshaped" in on:
        value = value.reshape(value.shape[0], value.shape[2], value.shape[1]).transpose(1, 2)
    result = averaged(weights, query, key, value, on)
    if "residual_inside" in on:
        result = result + query
    if "double" in on:
        result = result.double()
    return (result, weights) if "returns_both" in on else result


def attention_weights(query: Tensor, key: Tensor, keep: Tensor | None, on: Switches) -> Tensor:
    """[..., query, key] from query and key [..., seq, width], and what may be seen; None: all."""
    weights = weights_of(attention_scores(query, key, on), keep, on)
    if on & {"scaled_after_softmax", "scaled_twice"}:
        weights = weights / math.sqrt(query.shape[-1])
    return weights.transpose(-2, -1) if "weights_transposed" in on else weights


def averaged(weights: Tensor, query: Tensor, key: Tensor, value: Tensor, on: Switches) -> Tensor:
    """What the weights make of the values, or of what is taken for them."""
    return weights @ chosen({"keys_as_values": key, "queries_as_values": query}, on, value)


def probes(generator: Generator) -> tuple[Probe, ...]:
    """With and without masks, sizes pairwise different, and coincidences that hide wrong axes."""
    draw = standard_normal(generator)
    padding, each = masks(2, 3, 5, generator)
    _, square = masks(3, 4, 4, generator)
    square[:, torch.arange(4), torch.arange(4)] = 1
    low_query, low_key = draw(2, 3, 4).abs() + 1, -draw(2, 5, 4).abs() - 1
    sharp = torch.tensor([[[12.0, 0, 0, 0], [0, 12.0, 0, 0], [1, 0, 0, 0]]])
    spread = torch.tensor([[[40.0, -40, 3, 1], [38, 20, 0, 0], [-39, 30, 5, 2], [36, -9, 1, 4]]])
    sunk = torch.tensor([[[200.0, 0, 0, 0]] * 2]), torch.tensor([[[-200.0, 1, 0, 0]] * 3])
    sunk_mask = torch.tensor([[[1, 1, 0]]])
    loud_key = torch.tensor([[[0.1, 1, 0, 0], [-0.2, 0, 1, 0], [2.8, 0, 0, 1]]])
    loud = torch.tensor([[[10.0, 0, 0, 0]] * 2]), loud_key
    low = torch.tensor([[[10.0, 0, 0, 0]] * 2]), torch.tensor([[[-19.4, 1, 0, 0]] * 3])
    deep = torch.tensor([[[50.0, 0, 0, 0]] * 2]), torch.tensor([[[-60.0, 1, 0, 0]] * 3])
    return (
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7)), gradient=True),
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7), padding), gradient=True),
        Probe((draw(2, 3, 4), draw(2, 5, 4), draw(2, 5, 7), each.bool())),
        Probe((draw(3, 4, 4), draw(3, 4, 4), draw(3, 4, 4)), label="all sizes equal"),
        Probe((draw(3, 4, 6), draw(3, 4, 6), draw(3, 4, 6), square), label="self-attention"),
        Probe((draw(3, 4, 4), draw(3, 4, 4), draw(3, 4, 4), square.bool())),
        Probe(
            (draw(2, 4, 6), draw(2, 4, 6), draw(2, 4, 3), torch.ones(2, 4, 4).tril().long()),
            label="the future is hidden",
        ),
        Probe((low_query * 3, low_key * 3, draw(2, 5, 7), each), label="low scores"),
        Probe((*loud, draw(1, 3, 5), sunk_mask), label="a high score that is hidden"),
        Probe((sharp, spread, draw(1, 4, 3)), label="high scores"),
        Probe((*low, draw(1, 3, 5), sunk_mask), label="scores near −100"),
        Probe((*deep, draw(1, 3, 5), sunk_mask), label="scores of −1500"),
        Probe((*sunk, draw(1, 3, 5), sunk_mask), label="scores of −20000"),
    )


SUBJECTS = (FunctionSubject("scaled_dot_product_attention", scaled_dot_product_attention, probes),)
