"""Notices which ready-made operators and layers run, in every thread; changes none.

A dispatch mode sees its own thread alone, and code can step out of it. What would run operators
unheard is taken away.
"""

import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch

from . import readymade

# Runtimes of PyTorch's that run its functions past the dispatcher, where nobody hears of them.
_PAST_THE_DISPATCHER = (
    *("_jit_to_static_module", "_fuse_to_static_module", "StaticModule", "_nativert", "_te"),
    *("_jit_set_te_must_use_llvm_cpu", "_jit_pass_fuse_tensorexprs"),
)
# What computes on this machine, and where its kernel is found: a general one at a key of which
# nobody has a kernel of its own.
_BACKENDS = ("CPU", "MkldnnCPU", "QuantizedCPU", "SparseCPU", "NestedTensorCPU")
_GENERAL = ("CompositeExplicitAutograd", "CompositeImplicitAutograd")
_KERNELS = {**{key: key for key in _BACKENDS}, **dict.fromkeys(_GENERAL, "PrivateUse3")}
_seen: dict[str, None] = {}
_compiled: dict[str, None] = {}  # into scripts, which run as operators whenever they are called
_kept: list[Any] = []  # a library that is forgotten takes its functions with it


def forget(scripts: bool = False) -> None:
    """Begin anew; what was compiled into scripts is kept, or forgotten too."""
    _seen.clear()
    if scripts:
        _compiled.clear()


def seen() -> list[str]:
    """What is watched and ran since `forget`; nothing where `install` was never called."""
    return [*_seen, *_compiled]


def install() -> None:
    """Watch from now on, in this process and its forks."""
    if _kept:
        return
    libraries: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):  # of what is put in the place of another
        for full in filter(readymade.FAMILIES.search, torch._C._dispatch_get_all_op_names()):
            space, _, name = full.partition("::")
            if space not in libraries:
                libraries[space] = torch.library.Library(space, "IMPL")
            _listen(libraries[space], full, name)
    for name in _PAST_THE_DISPATCHER:
        vars(torch._C).pop(name, None)
        sys.modules.pop(f"torch._C.{name}", None)
    _kept.extend(libraries.values())
    readymade.watch(_seen.setdefault)
    readymade.watch_copies(_seen.setdefault)
    readymade.watch_scripts(_compiled.setdefault)


def _listen(library: Any, full: str, name: str) -> None:
    """Hear of each kernel of an operator by itself, whatever threads, modes and keys lead to it."""
    for key, found_at in _KERNELS.items():
        if torch._C._dispatch_has_kernel_for_dispatch_key(full, key):
            kernel = torch._C._dispatch_get_computed_kernel_for_dispatch_key(full, found_at)
            library.impl(name, _watching(full.partition(".")[0], kernel), key, with_keyset=True)


def _watching(name: str, kernel: Any) -> Callable[..., Any]:
    def watched(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        _seen[name] = None
        return kernel.call_boxed(keyset, *args, **kwargs)

    return watched
