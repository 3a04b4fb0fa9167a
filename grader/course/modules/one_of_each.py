"""Lets every attention and every norm of a solution run as one: so one edit acts in all modules.

Every attention runs as CrossAttention, whose memory may be the sequence itself, and every norm as
LayerNorm. Where an attention's own class is edited, that runs instead. Without edits, what is long
runs in one step: right answers to a thousand tokens take a sixth of the time.
"""

from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from ...diagnosis.edited_tree import Edit
from ...diagnosis.variants import Variant

_OF_ITSELF = ("AttentionHead", "MultiHeadAttention")  # attentions of a sequence to itself
_LONG = 2**16  # scores of one head


def with_one_of_each(made: Variant, module: nn.Module, edits: Sequence[Edit]) -> None:
    """Do so in a solution's module, which has these edits."""
    touched = {edit.definition for edit in edits}
    for name, part in list(module.named_modules()):
        kind = type(part).__name__
        if kind in _OF_ITSELF and touched.isdisjoint((kind, f"{kind}.forward")):
            attend = made["CrossAttention"].forward
            attend = attend if edits else _with_long_ones_in_one_step(attend)
            part.__dict__["forward"] = partial(_attend, attend, part)
        if kind == "AttentionHead":
            part.__dict__.update(num_heads=1, output=_as_it_is)
        if isinstance(part, nn.LayerNorm) and name:
            owner, _, leaf = name.rpartition(".")
            norm = made["LayerNorm"](*part.normalized_shape, part.eps)
            setattr(module.get_submodule(owner), leaf, norm)
    if not any(each.startswith("LayerNorm") for each in touched):
        for part in module.modules():
            if type(part).__name__ == "LayerNorm":
                part.__dict__["forward"] = partial(_normalised, part)  # the same, in one step


def _attend(
    forward: Callable[..., Tensor],
    attention: nn.Module,
    x: Tensor,
    mask: Tensor | None = None,
    memory: Tensor | None = None,  # which an edit of a layer may give it
) -> Tensor:
    return forward(attention, x, x if memory is None else memory, mask)


def _with_long_ones_in_one_step(forward: Any) -> Callable[..., Tensor]:
    """The same attention, which makes no table of the scores of many tokens."""
    around = forward.__globals__
    step_by_step = around["scaled_dot_product_attention"]

    def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        if mask is None and query.shape[-2] * key.shape[-2] > _LONG:
            return F.scaled_dot_product_attention(query, key, value)
        found: Tensor = step_by_step(query, key, value, mask)
        return found

    return FunctionType(
        forward.__code__,
        {**around, "scaled_dot_product_attention": attention},
        argdefs=forward.__defaults__,
    )


def _normalised(norm: Any, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)


def _as_it_is(x: Tensor) -> Tensor:
    return x
