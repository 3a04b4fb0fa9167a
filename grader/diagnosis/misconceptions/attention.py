"""Known wrong turns of scaled dot-product attention: those of its parts, and of joining them."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Generator, Tensor

from . import attention_scores as scoring
from . import masked_softmax as masking
from .function_subject import FunctionSubject, Misconception, Probe, Switches
from .softmax import softmax

NONE: Switches = frozenset()
# Switches of the parts that read the same when they are made inside the whole.
SCORES = [
    "unscaled", "by_width", "by_root_of_queries", "by_root_of_keys", "multiplied",
    "query_query", "key_key", "reshaped", "not_transposed", "first_axes", "mixed_batch",
    "first_keys", "cosine", "absolute", "relu", "by_fourth_root", "fixed_64", "fixed_512",
    "fixed_768", "by_root_of_batch", "negated",
]  # fmt: skip
WEIGHTS = [
    "inverted", "ignored", "after", "fill_zero", "fill_minus_one", "fill_10", "fill_100",
    "fill_1e3", "fill_1e4", "added_10", "added_one", "nan", "fill_plus", "fill_plus_inf",
    "first_row", "last_row", "first_query", "queries_hidden", "rows_and_columns",
    "integers_inverted", "no_shift", "over_queries", "over_batch", "global_max",
    "over_queries_to_zero", "inverted_finite", "over_everything", "twice",
    "after_with_minus_inf", "after_with_softmax",
    "divided_by_count", "uniform", "log", "by_max", *masking.LOGS,
]  # fmt: skip
# What a softmax can get wrong where nothing is hidden.
UNMASKED = frozenset(
    {"no_shift", "over_queries", "over_batch", "global_max", "over_everything"}
    | {"twice", "uniform", "log", "by_max"}
)


def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, on: Switches = NONE
) -> Any:
    """The reference with switches."""
    if "detached" in on:
        query, key, value = query.detach(), key.detach(), value.detach()
    if "query_and_key_exchanged" in on:
        query, key = key, query
    if "value_as_key" in on:
        key = value
    if "no_scores" in on:
        return value.mean(1, keepdim=True).expand(-1, query.shape[1], -1)
    scores = scoring.attention_scores(query, key, on & frozenset(SCORES))
    width = math.sqrt(query.shape[-1])
    if "by_root_of_value_width" in on:
        scores = scores * width / math.sqrt(value.shape[-1])
    if "softmax_last" in on:
        scores = scores if mask is None else scores.masked_fill(~mask.bool(), -math.inf)
        return softmax(scores @ value, -1)
    if "scaled_after" in on:
        scores = scores * width
    if "no_softmax" in on:
        weights = scores if mask is None else scores * mask.bool()
    else:
        weights = _weights(scores, mask, on)
    if "scaled_after" in on or "scaled_twice" in on:
        weights = weights / width
    return _apply(weights, query, key, value, on)


def _weights(scores: Tensor, mask: Tensor | None, on: Switches) -> Tensor:
    inner = on & frozenset(WEIGHTS)
    if mask is None:
        # Nothing is hidden; what a variant does to all-true masks, it does not do here.
        inner &= UNMASKED
        mask = torch.ones(scores.shape[0], 1, scores.shape[-1], dtype=torch.bool)
    return masking.masked_softmax(scores, mask, inner)


def _apply(weights: Tensor, query: Tensor, key: Tensor, value: Tensor, on: Switches) -> Any:
    if "returns_weights" in on:
        return weights
    if "weights_transposed" in on:
        weights = weights.transpose(-2, -1)
    if "weights_times_key" in on:
        value = key
    if "weights_times_query" in on:
        value = query
    if "first_values" in on:
        value = value[:1]
    if "values_reshaped" in on:
        value = value.reshape(value.shape[0], value.shape[2], value.shape[1]).transpose(1, 2)
    result = weights @ value
    if "residual" in on:
        result = result + query
    if "double" in on:
        result = result.double()
    return (result, weights) if "returns_both" in on else result


def probes(generator: Generator) -> tuple[Probe, ...]:
    """With and without masks, sizes pairwise different, and coincidences that hide wrong axes."""

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    padding, each = masking.masks(2, 3, 5, generator)
    _, square = masking.masks(3, 4, 4, generator)
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


def _part(of: tuple[Misconception, ...], names: list[str]) -> tuple[Misconception, ...]:
    by_id = {one.id: one for one in of}
    return tuple(by_id[name] for name in names if name in by_id)


_SCORES = _part(scoring.MISCONCEPTIONS, SCORES)
_WEIGHTS = _part(masking.MISCONCEPTIONS, WEIGHTS)
_JOIN = "Which two tensors does the last matrix product join, and which axis do they share?"
JOINED = (
    Misconception(
        "weights_transposed",
        "The weights are transposed before the value product: position i gets the values weighted "
        "by what the others give to it (column i), not by what it gives to them (row i).",
        "In weights[b, i, j], which index is summed over in the average for query i?",
    ),
    Misconception(
        "weights_times_key",
        "The weights multiply the keys: the values are never used.",
        _JOIN,
    ),
    Misconception(
        "weights_times_query",
        "The weights multiply the queries: the values are never used.",
        _JOIN,
    ),
    Misconception(
        "softmax_last",
        "The softmax comes last, over the features of the output: softmax(QKᵀ/√d_k · V). The "
        "values themselves are turned into weights.",
        "What must sum to 1: the weights of the keys, or the features of the result?",
    ),
    Misconception(
        "scaled_after",
        "The scale is applied after the softmax instead of before: the weights of a query sum to "
        "1/√d_k, and the scores saturate the softmax.",
        "What should the weights of one query sum to?",
    ),
    Misconception(
        "scaled_twice",
        "The weights are divided by √d_k once more after the softmax: they no longer sum to 1.",
        "What should the weights of one query sum to?",
    ),
    Misconception(
        "no_softmax",
        "There is no softmax: the raw scores are used as weights, negative ones included.",
        "What should the weights of one query sum to, and may one be negative?",
    ),
    Misconception(
        "query_and_key_exchanged",
        "Query and key have changed places, the score matrix is transposed: one row, and one "
        "output, for each key instead of each query.",
        "Who asks, and how many answers should there be?",
    ),
    Misconception(
        "value_as_key",
        "The queries are compared with the values: the keys are never used.",
        "What happens to your result when only the keys change?",
    ),
    Misconception(
        "by_root_of_value_width",
        "The scores are scaled by the root of the values' width instead of that of queries and "
        "keys.",
        "Over how many features does the dot product of a query and a key sum?",
    ),
    Misconception(
        "returns_both",
        "It returns the output together with the weights, a tuple; one tensor was promised.",
        "What does the promise say about what comes back?",
    ),
    Misconception(
        "returns_weights",
        "It returns the attention weights; they were never applied to the values.",
        "What is averaged with these weights?",
    ),
    Misconception(
        "first_values",
        "The values of the first sentence are used for the whole batch.",
        "What is right for the first sentence and wrong for the others?",
    ),
    Misconception(
        "values_reshaped",
        "The values are reshaped on the way, which mixes the numbers of different positions.",
        "Do the values need another shape before they are averaged?",
    ),
    Misconception(
        "no_scores",
        "Every query gets the plain average of all values: the scores play no part.",
        "What changes in your result when a query changes?",
    ),
    Misconception(
        "residual",
        "The query is added to the result: a residual connection that does not belong in here.",
        "What should come back when all values are 0?",
    ),
    Misconception(
        "double",
        "The values are right but come back as float64, while what went in is float32.",
        "Which of your numbers carries the wider dtype in?",
    ),
    Misconception(
        "detached",
        "The values are right, but no gradient reaches query, key and value.",
        "Where on the way does the result lose its history?",
        gradient=True,
    ),
)
MISCONCEPTIONS = (
    masking.AMBIGUOUS,
    masking.BOOL_MINUS,
    masking.INTEGER_MASK,
    *_SCORES[:2],
    *_WEIGHTS[:2],
    *JOINED[:5],
    *_SCORES[2:],
    *_WEIGHTS[2:],
    *JOINED[5:],
)

SUBJECTS = (
    FunctionSubject(
        "scaled_dot_product_attention", scaled_dot_product_attention, probes, MISCONCEPTIONS
    ),
)
