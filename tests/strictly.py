"""The references with a guard in front, which refuses what a docstring does not promise to take.

A right answer may do so, too: it may count on three axes or on a type, and its arguments and its
parts may have names of its own.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from grader.curriculum.syllabus import syllabus

Guard = Callable[..., None]
# No modules, or such as references are built of: these keep the names of their parts.
METHODS = {"KeyValueCache": "update", "TransformerEncoder": "forward"}


def strict(name: str) -> Any:
    """The reference of an exercise, guarded; what a module is made of has names of its own."""
    module = importlib.import_module(f"solutions.{syllabus()[name].chapter.partition('_')[2]}")
    reference = getattr(module, name)
    guard = GUARDS.get(name)
    if guard is None:
        return reference
    if not inspect.isclass(reference):
        return _guarded(reference, guard)
    if name in METHODS:
        method = METHODS[name]
        return type(
            name,
            (reference,),
            {method: _guarded(getattr(reference, method), guard, is_method=True)},
        )
    return _wrapped(name, reference, guard)


def _guarded(reference: Callable[..., Any], guard: Guard, is_method: bool = False) -> Any:
    def call(*given: Any) -> Any:
        guard(*given[int(is_method) :])
        return reference(*given)

    call.__name__ = reference.__name__
    return call


def _wrapped(name: str, reference: type[nn.Module], guard: Guard) -> type[nn.Module]:
    class Strict(nn.Module):
        def __init__(self, *given: Any) -> None:
            super().__init__()
            self.kept_in = reference(*(getattr(each, "kept_in", each) for each in given))

        def forward(self, *given: Any) -> Any:
            guard(*given)
            return self.kept_in(*given)

    Strict.__name__ = name
    return Strict


def floats(axes: int, *tensors: Tensor) -> None:
    """Each has so many axes."""
    for each in tensors:
        assert each.ndim == axes and each.is_floating_point(), f"{list(each.shape)}, {each.dtype}"


def within(most: float, *tensors: Tensor) -> None:
    """No number is farther from 0, nor nan."""
    for each in tensors:
        assert bool((each.abs() <= most).all()), f"{each.min()} to {each.max()}"


def ids(*tensors: Tensor | None) -> None:
    """Each is [batch, seq], long, and all have one shape; None is left out."""
    given = [each for each in tensors if each is not None]
    for each in given:
        assert each.ndim == 2 and each.dtype == torch.long, f"{list(each.shape)}, {each.dtype}"
        assert each.shape == given[0].shape


def bits(mask: Tensor) -> None:
    """Bool, or integers that are 0 or 1."""
    assert not mask.is_floating_point() and bool(((mask == 0) | (mask == 1)).all()), mask


def over_keys(mask: Tensor | None, query: Tensor, key: Tensor) -> None:
    """[batch, 1, key] or [batch, query, key], and each query has one key at least."""
    if mask is not None:
        batch, rows, columns = len(query), query.shape[1], key.shape[1]
        shape = list(mask.shape)
        assert shape in [[batch, 1, columns], [batch, rows, columns]], f"a mask {shape}"
        bits(mask)
        assert (mask != 0).any(-1).all(), "a query without a key"


def over_tokens(mask: Tensor | None, input_ids: Tensor) -> None:
    """The attention mask [batch, seq] beside ids, with a token in each row."""
    ids(input_ids)
    if mask is not None:
        assert mask.shape == input_ids.shape
        bits(mask)
        assert (mask != 0).any(-1).all(), "a sentence without a token"


def _three(x: Tensor, mask: Tensor | None = None) -> None:
    floats(3, x)
    over_keys(mask, x, x)


def _read(input_ids: Tensor, mask: Tensor | None = None) -> None:
    over_tokens(mask, input_ids)


def _scores(query: Tensor, key: Tensor) -> None:
    floats(3, query, key)
    assert len(query) == len(key)


def _attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> None:
    floats(3, query, key, value)
    assert len(query) == len(key) == len(value)
    over_keys(mask, query, key)


def _cross(hidden_state: Tensor, memory: Tensor, mask: Tensor | None = None) -> None:
    _attention(hidden_state, memory, memory, mask)


def _softmax(x: Tensor, dim: int) -> None:
    assert x.dtype == torch.float32 and isinstance(dim, int)
    assert not x.isnan().any() and bool((x.amax(dim).abs() < torch.inf).all())


def _masked_softmax(scores: Tensor, mask: Tensor) -> None:
    floats(3, scores)
    assert bool((scores.abs() <= 20_000).all())
    bits(mask)
    assert (mask.expand_as(scores) != 0).any(-1).all(), "a query without a key"


def _split_heads(x: Tensor, num_heads: int) -> None:
    assert x.ndim == 3 and x.is_contiguous(), f"{list(x.shape)}, {x.stride()}"
    assert isinstance(num_heads, int) and x.shape[2] % num_heads == 0


def _merge_heads(x: Tensor) -> None:
    assert x.ndim == 4


def _pad_batch(sequences: list[list[int]], pad_id: int) -> None:
    assert type(sequences) is list and {type(each) for each in sequences} == {list}
    assert {type(index) for each in [*sequences, [pad_id]] for index in each} == {int}


def _encode(first: str, second: str | None, vocab: dict[str, int], max_length: int = 512) -> None:
    assert type(first) is str and (second is None or type(second) is str)
    assert {"[UNK]", "[CLS]", "[SEP]"} <= set(vocab)


def _embedded(input_ids: Tensor, token_type_ids: Tensor | None = None) -> None:
    ids(input_ids, token_type_ids)


def _one_hot(token_ids: Tensor, table: Tensor) -> None:
    ids(token_ids)
    floats(2, table)


def _padding_mask(attention_mask: Tensor) -> None:
    assert attention_mask.ndim == 2
    bits(attention_mask)


def _causal_mask(seq_len: int) -> None:
    assert type(seq_len) is int and 0 < seq_len <= 800


def _cross_entropy(logits: Tensor, labels: Tensor) -> None:
    floats(2, logits)
    within(50_000, logits)
    assert labels.shape == logits.shape[:1] and labels.dtype == torch.long
    assert int(labels.min()) >= 0 and int(labels.max()) < logits.shape[1]


def _train_step(
    model: nn.Module, optimizer: Any, input_ids: Tensor, attention_mask: Tensor, labels: Tensor
) -> None:
    over_tokens(attention_mask, input_ids)
    assert labels.ndim == 1 and labels.dtype == torch.long
    held = {id(each) for group in optimizer.param_groups for each in group["params"]}
    assert held == {id(each) for each in model.parameters() if each.requires_grad}
    assert all(each.requires_grad for each in model.parameters()), "one has no gradient"


def _next_token_loss(logits: Tensor, input_ids: Tensor) -> None:
    floats(3, logits)
    within(50_000, logits)
    ids(input_ids)
    assert input_ids.shape == logits.shape[:2] and input_ids.shape[1] > 1


def _sample(logits: Tensor, generator: torch.Generator, temperature: float = 1.0, *_: Any) -> None:
    floats(2, logits)
    assert bool(logits.amax(-1).isfinite().all()) and temperature >= 0.001


def _mask_tokens(input_ids: Tensor, vocab: dict[str, int], *_: Any) -> None:
    ids(input_ids)
    assert sorted(vocab.values()) == list(range(len(vocab)))


def _cache(key: Tensor, value: Tensor) -> None:
    floats(4, key, value)


def _induction_score(attention: Tensor, input_ids: Tensor) -> None:
    floats(4, attention)
    ids(input_ids)
    assert attention.shape[2:] == (input_ids.shape[1], input_ids.shape[1])
    assert not attention.triu(1).any() and torch.allclose(attention.sum(-1), torch.ones(()))


def _probe(vectors: Tensor, labels: Tensor, asked: Tensor, ridge: float) -> None:
    floats(2, vectors, asked)
    assert labels.shape == vectors.shape[:1] and labels.dtype == torch.long and 0.01 <= ridge <= 1e7


def _patch_head(found: Tensor, instead: Tensor, head: int, num_heads: int) -> None:
    floats(3, found, instead)
    within(torch.finfo(torch.float32).max, found, instead)


def _log_prob(scores: Tensor, goal: Tensor, pad_id: int) -> None:
    floats(3, scores)
    within(1e30, scores)
    ids(goal)


def _sealed(rows: Tensor) -> None:
    ids(rows)


GUARDS: dict[str, Guard] = {
    "sentence_vector": _three,
    "encode": _encode,
    "pad_batch": _pad_batch,
    "embed_one_hot": _one_hot,
    "Embeddings": _embedded,
    "attention_scores": _scores,
    "AdditiveScores": _scores,
    "padding_mask": _padding_mask,
    "causal_mask": _causal_mask,
    "softmax": _softmax,
    "masked_softmax": _masked_softmax,
    "scaled_dot_product_attention": _attention,
    "split_heads": _split_heads,
    "merge_heads": _merge_heads,
    "AttentionHead": _three,
    "MultiHeadAttention": _three,
    "FeedForward": _three,
    "LayerNorm": _three,
    "TransformerEncoderLayer": _three,
    "PostNormEncoderLayer": _three,
    "TransformerEncoder": _read,
    "TransformerForSequenceClassification": _read,
    "cross_entropy": _cross_entropy,
    "train_step": _train_step,
    "Pooler": _three,
    "CrossAttention": _cross,
    "TransformerDecoderLayer": _cross,
    "sequence_log_prob": _log_prob,
    "mask_tokens": _mask_tokens,
    "MaskedLanguageModel": _read,
    "next_token_loss": _next_token_loss,
    "sample": _sample,
    "KeyValueCache": _cache,
    "induction_score": _induction_score,
    "linear_probe": _probe,
    "patch_head": _patch_head,
    **{f"sealed_{machine}": _sealed for machine in "abc"},
}
