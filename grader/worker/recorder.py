"""Notices which ready-made operators run, in every thread and past every mode; changes none.

A dispatch mode sees its own thread alone, and code can step out of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import torch

# Those that compute what an exercise asks for; what is composed of others shows as these.
_WATCHED = (
    *("_softmax", "_log_softmax", "_safe_softmax", "_softmax_backward_data"),
    *("_scaled_dot_product_flash_attention_for_cpu", "_native_multi_head_attention"),
    *("_transform_bias_rescale_qkv", "_transformer_encoder_layer_fwd"),
    *("native_layer_norm", "_fused_rms_norm", "native_group_norm", "gelu"),
    *("native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit.no_stats"),
    *("nll_loss_forward", "nll_loss2d_forward"),
)
_seen: dict[str, None] = {}
_kept: list[Any] = []  # a library that is forgotten takes its functions with it


def forget() -> None:
    """Begin anew."""
    _seen.clear()


def seen() -> list[str]:
    """The watched operators that ran since `forget`; none where `install` was never called."""
    return list(_seen)


def install() -> None:
    """Watch from now on, in this process and its forks."""
    if _kept:
        return
    library = torch.library.Library("aten", "IMPL")
    _kept.append(library)
    for name in _WATCHED:
        packet, _, overload = name.partition(".")
        # Another version of PyTorch may lack one; the mode sees what calls of this thread run.
        with contextlib.suppress(AttributeError, RuntimeError, TypeError):
            operator = getattr(getattr(torch.ops.aten, packet), overload or "default")
            # Every call passes this key, whatever threads and modes there are.
            library.impl(operator, _watching(operator), "BackendSelect", with_keyset=True)


def _watching(operator: Any) -> Callable[..., Any]:
    name = operator._schema.name
    later = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)

    def watched(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        _seen[name] = None
        return operator.redispatch(keyset & later, *args, **kwargs)

    return watched
