"""Tells from the operators that ran which ready-made functions were called; reads no code."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from .names import Shortcut

_SOFTMAX = ("softmax", "softmin", "softmax2d", "gumbel_softmax")
_LOG_SOFTMAX = ("log_softmax", "logsoftmax")
# Attention computes a softmax on its way, so it is a detour to one too.
_ATTENTION = ("scaled_dot_product_attention", *_SOFTMAX)
_HEADS = ("multiheadattention", "multi_head_attention_forward", *_ATTENTION)
_CROSS_ENTROPY = ("cross_entropy", "crossentropyloss", "cross_entropy_loss")
_LAYER_NORM = ("layer_norm", "layernorm", "native_layer_norm")
_BATCH_NORM = ("batch_norm", "batchnorm1d", "native_batch_norm", "instance_norm")

# What an operator betrays, by the last part of the forbidden name in small letters; the best first.
# Operators stand here without leading underscores, as they ran with PyTorch 2.13 in and out of
# inference mode.
_BETRAYS: dict[str, tuple[str, ...]] = {
    "softmax": _SOFTMAX,
    "special_softmax": _SOFTMAX,
    "sparse_softmax": _SOFTMAX,
    "masked_softmax": _SOFTMAX,
    "log_softmax": _LOG_SOFTMAX,
    "special_log_softmax": _LOG_SOFTMAX,
    "sparse_log_softmax": _LOG_SOFTMAX,
    "safe_softmax": _ATTENTION,  # scaled_dot_product_attention alone calls it
    "scaled_dot_product_attention": _ATTENTION,
    "native_multi_head_attention": _HEADS,
    "transform_bias_rescale_qkv": _HEADS,
    "transformer_encoder_layer_fwd": ("transformerencoderlayer", *_HEADS, *_LAYER_NORM),
    "layer_norm": _LAYER_NORM,
    "native_layer_norm": _LAYER_NORM,
    "rms_norm": ("rms_norm", "rmsnorm"),
    "fused_rms_norm": ("rms_norm", "rmsnorm"),
    "group_norm": ("group_norm", "groupnorm"),
    "native_group_norm": ("group_norm", "groupnorm"),
    "batch_norm": _BATCH_NORM,
    "instance_norm": _BATCH_NORM,
    "native_batch_norm": _BATCH_NORM,
    "native_batch_norm_legit": _BATCH_NORM,
    "gelu": ("gelu",),
    "nll_loss_nd": ("nll_loss", "nllloss", *_CROSS_ENTROPY),
    "nll_loss_forward": ("nll_loss", "nllloss", *_CROSS_ENTROPY),
    "nll_loss2d_forward": ("nll_loss", "nllloss", *_CROSS_ENTROPY),
    "cross_entropy_loss": (*_CROSS_ENTROPY, *_LOG_SOFTMAX),
    "embedding": ("embedding",),
    "embedding_bag": ("embedding_bag", "embeddingbag"),
    "pad_sequence": ("pad_sequence",),
}


def by_operators(operators: Iterable[str], forbidden: Iterable[str]) -> tuple[Shortcut, ...]:
    """The forbidden names that ran, at most one for each operator (`aten._softmax.default`).

    Building blocks (exp, amax, logsumexp, matmul, einsum …) betray nothing.
    """
    names = tuple(name for name in forbidden if name.startswith("torch."))
    found: dict[str, Shortcut] = {}
    for operator in operators:
        name = _first_betrayed(_BETRAYS.get(_base_name(operator), ()), names)
        if name is not None:
            found.setdefault(name, Shortcut(name, operator, None))
    return tuple(found.values())


def _first_betrayed(betrayed: tuple[str, ...], forbidden: tuple[str, ...]) -> str | None:
    for last_part in betrayed:
        for name in forbidden:
            if fnmatchcase(last_part, name.rpartition(".")[2].strip("_").lower()):
                return name
    return None


def _base_name(operator: str) -> str:
    """`aten._softmax.default`, `aten::_softmax` and `_softmax_backward_data` are all softmax."""
    name = operator.replace("::", ".").removeprefix("aten.").partition(".")[0].strip("_")
    name = name.removesuffix("_data").removesuffix("_backward")
    if name.startswith("scaled_dot_product_"):  # _flash_attention_for_cpu, _efficient_attention …
        return "scaled_dot_product_attention"
    return name
