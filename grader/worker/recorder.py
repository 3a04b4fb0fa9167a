"""Notices which ready-made operators and layers run, in every thread; changes none.

A dispatch mode sees its own thread alone, and code can step out of it. What would run operators
unheard is taken away.
"""

import contextlib
import re
import sys
from collections.abc import Callable
from typing import Any

import torch

from . import readymade

# Families of names in PyTorch's registry, of whatever they begin or end with.
_FAMILIES = re.compile(
    "softmax|gelu|(layer|rms|group|batch|instance)_norm|nll_loss|cross_entropy|ctc_loss"
    "|scaled_dot|attention_|transformer_encoder|bias_rescale_qkv|pointwise|addmm_activation"
)
# Runtimes of PyTorch's that run its functions past the dispatcher, where nobody hears of them.
_PAST_THE_DISPATCHER = (
    *("_jit_to_static_module", "_fuse_to_static_module", "StaticModule", "_nativert", "_te"),
    *("_jit_set_te_must_use_llvm_cpu", "_jit_pass_fuse_tensorexprs"),
)
_seen: dict[str, None] = {}
_kept: list[Any] = []  # a library that is forgotten takes its functions with it


def forget() -> None:
    """Begin anew."""
    _seen.clear()


def seen() -> list[str]:
    """What is watched and ran since `forget`; nothing where `install` was never called."""
    return list(_seen)


def install() -> None:
    """Watch from now on, in this process and its forks."""
    if _kept:
        return
    libraries: dict[str, Any] = {}
    for full in filter(_FAMILIES.search, torch._C._dispatch_get_all_op_names()):
        space, _, name = full.partition("::")
        packet, _, overload = name.partition(".")
        if space not in libraries:
            libraries[space] = torch.library.Library(space, "IMPL")
        # What cannot be watched so is seen by the mode where it runs in the call's own thread.
        with contextlib.suppress(AttributeError, RuntimeError, TypeError):
            operator = getattr(getattr(getattr(torch.ops, space), packet), overload or "default")
            # Every call passes this key, whatever threads and modes there are.
            libraries[space].impl(operator, _watching(operator), "BackendSelect", with_keyset=True)
    for name in _PAST_THE_DISPATCHER:
        vars(torch._C).pop(name, None)
        sys.modules.pop(f"torch._C.{name}", None)
    _kept.extend(libraries.values())
    readymade.watch(_note)


def _note(name: str) -> None:
    _seen[name] = None


def _watching(operator: Any) -> Callable[..., Any]:
    name = operator._schema.name
    later = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)

    def watched(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        _seen[name] = None
        return operator.redispatch(keyset & later, *args, **kwargs)

    return watched
