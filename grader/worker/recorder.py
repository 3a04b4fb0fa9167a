"""Notices which ready-made operators and layers run, in every thread; changes none.

A dispatch mode sees its own thread alone, and code can step out of it. What would run operators
unheard is taken away.
"""

import contextlib
import sys
from collections.abc import Callable
from typing import Any

import torch

from . import readymade

# Runtimes of PyTorch's that run its functions past the dispatcher, where nobody hears of them.
_PAST_THE_DISPATCHER = (
    *("_jit_to_static_module", "_fuse_to_static_module", "StaticModule", "_nativert", "_te"),
    *("_jit_set_te_must_use_llvm_cpu", "_jit_pass_fuse_tensorexprs"),
)
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
    for full in filter(readymade.FAMILIES.search, torch._C._dispatch_get_all_op_names()):
        space, _, name = full.partition("::")
        packet, _, overload = name.partition(".")
        if space not in libraries:
            libraries[space] = torch.library.Library(space, "IMPL")
        # What cannot be watched so is seen by the mode where it runs in the call's own thread.
        with contextlib.suppress(AttributeError, RuntimeError, TypeError):
            operator = getattr(getattr(getattr(torch.ops, space), packet), overload or "default")
            # Every call passes this key, whatever threads and modes there are.
            heard = _watching(operator)
            libraries[space].impl(operator, heard, "BackendSelect", with_keyset=True)
            # But one that is made of others alone runs as them before that.
            if torch._C._dispatch_has_kernel_for_dispatch_key(full, "CompositeImplicitAutograd"):
                libraries[space].impl(operator, heard, "AutogradCPU", with_keyset=True)
    for name in _PAST_THE_DISPATCHER:
        vars(torch._C).pop(name, None)
        sys.modules.pop(f"torch._C.{name}", None)
    _kept.extend(libraries.values())
    readymade.watch(_seen.setdefault)
    readymade.watch_copies(_seen.setdefault)
    readymade.watch_scripts(_compiled.setdefault)


def _watching(operator: Any) -> Callable[..., Any]:
    name = operator._schema.name
    later = torch._C._dispatch_keyset_full_after(torch._C.DispatchKey.BackendSelect)

    def watched(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        _seen[name] = None
        return operator.redispatch(keyset & later, *args, **kwargs)

    return watched
