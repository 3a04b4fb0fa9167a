"""Lets every attention and every norm of a solution run as one: so one edit acts in all modules.

Every attention runs as CrossAttention, whose memory may be the sequence itself, and every norm as
LayerNorm. Where an attention's own class is edited, that runs instead.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from torch import Tensor, nn
from torch.nn import functional as F

from ...diagnosis.edited_tree import Edit
from ...diagnosis.variants import Variant

_OF_ITSELF = ("AttentionHead", "MultiHeadAttention")  # attentions of a sequence to itself


def with_one_of_each(made: Variant, module: nn.Module, edits: Sequence[Edit]) -> None:
    """Do so in a solution's module, which has these edits."""
    touched = {edit.definition for edit in edits}
    for name, part in list(module.named_modules()):
        kind = type(part).__name__
        if kind in _OF_ITSELF and touched.isdisjoint((kind, f"{kind}.forward")):
            part.__dict__["forward"] = partial(_attend, made["CrossAttention"].forward, part)
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
    memory: Tensor | None = None,
) -> Tensor:
    return forward(attention, x, x if memory is None else memory, mask)


def _normalised(norm: Any, x: Tensor) -> Tensor:
    return F.layer_norm(x, x.shape[-1:], norm.weight, norm.bias, norm.eps)


def _as_it_is(x: Tensor) -> Tensor:
    return x
