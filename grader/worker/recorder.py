"""Notices which ready-made operators and layers run, in every thread; changes none.

A dispatch mode sees its own thread alone, and code can step out of it. What would run operators
unheard is taken away.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch

from . import late_modules, readymade

# Runtimes of PyTorch's that run its functions past the dispatcher, where nobody hears of them.
_PAST_THE_DISPATCHER = (
    *("_jit_to_static_module", "_fuse_to_static_module", "StaticModule", "_nativert", "_te"),
    *("_jit_set_te_must_use_llvm_cpu", "_jit_pass_fuse_tensorexprs", "_jit_set_llga_enabled"),
)
_SUBGRAPHS = ("g_", "gs_", "copyAttributes")  # by which a graph's node is made one of these
# Keys at which whatever there is goes on to another one, for graphs, views and other numbers, or at
# which there are no numbers. Not so where gradients are kept: forward mode takes some apart there.
_GOES_ON = re.compile("ADInplaceOrView|Functionalize|Tracer|Autocast.*|Meta")
# Where the kernel of a key is found that stands for several: where nobody has one of its own.
_FOUND_AT = {
    "Autograd": "AutogradCPU",
    "FuncTorchBatchedDecomposition": "FuncTorchBatched",
    "CompositeImplicitAutogradNestedTensor": "NestedTensorCPU",
}
_KERNEL = re.compile(r"^(\w+)(\[alias\])?: .*boxed \]$", re.MULTILINE)  # a line of the dispatcher's
_seen: dict[str, None] = {}
_earlier: dict[str, None] = {}  # of those before, as `hand_on` tells
_compiled: dict[str, None] = {}  # into scripts, which run as operators whenever they are called
_refused: set[str] = set()
# Numbers in oneDNN's own layout, for which TorchScript has functions that are no operators: they
# come out of it by operators with this kernel alone.
_OPAQUE = "MkldnnCPU"
_kept: list[Any] = []  # a library that is forgotten takes its functions with it


def forget(scripts: bool = False) -> None:
    """Begin anew; what was compiled into scripts is kept, or forgotten too."""
    _seen.clear()
    _earlier.clear()
    if scripts:
        _compiled.clear()


def hand_on() -> list[str]:
    """Begin anew for the next in this process; what is watched and ran for all before them."""
    _earlier.update(dict.fromkeys(seen()))
    _seen.clear()
    return [*_earlier]


def taken() -> list[str]:
    """What `seen` tells, which is forgotten."""
    found = seen()
    forget()
    return found


def seen() -> list[str]:
    """What is watched and ran since `forget`; nothing where `install` was never called."""
    return [*_seen, *_compiled]


@contextmanager
def without(names: Iterable[str]) -> Iterator[None]:
    """Inside, what goes by these names raises where it would run."""
    _refused.update(names)
    try:
        yield
    finally:
        _refused.clear()


def _hear(name: str, into: dict[str, None] = _seen) -> None:
    if name in _refused:
        raise RuntimeError("this is ready-made, and how the exercise does without it is tried here")
    into[name] = None


def install() -> None:
    """Watch from now on, in this process and its forks."""
    if _kept:
        return
    libraries: dict[str, Any] = {}
    with warnings.catch_warnings(action="ignore"):  # of what is put in the place of another
        for full in torch._C._dispatch_get_all_op_names():
            found = _kernels(full)
            space, _, name = full.partition("::")
            if found and space not in libraries:
                libraries[space] = torch.library.Library(space, "IMPL")
            for key, found_at in found.items():
                _listen(libraries[space], full, name, key, found_at)
    for name in _PAST_THE_DISPATCHER:
        vars(torch._C).pop(name, None)
        sys.modules.pop(f"torch._C.{name}", None)
    for name in _SUBGRAPHS:
        if hasattr(torch._C.Node, name):
            delattr(torch._C.Node, name)
    _kept.extend(libraries.values())
    readymade.watch(_hear)
    late_modules.watch(_hear)
    readymade.watch_scripts(partial(_hear, into=_compiled))


def _listen(library: Any, full: str, name: str, key: str, found_at: str) -> None:
    """Hear of each kernel of an operator by itself, whatever threads, modes and keys lead to it."""
    kernel = torch._C._dispatch_get_computed_kernel_for_dispatch_key(full, found_at)
    plain = full.partition(".")[0]
    told = plain if readymade.FAMILIES.search(full) else f"{_OPAQUE}::{plain}"
    library.impl(name, _watching(told, kernel), key, with_keyset=True)


def _kernels(full: str) -> dict[str, str]:
    """The keys to listen at for this operator, and for each the one at which its kernel is found.

    Of a family's those of all kernels that it has: any may take it apart before another is reached.
    """
    if not readymade.FAMILIES.search(full):
        has = torch._C._dispatch_has_kernel_for_dispatch_key(full, _OPAQUE)
        return {_OPAQUE: _OPAQUE} if has else {}
    found = _KERNEL.findall(torch._C._dispatch_dump(full))
    return {
        key: _FOUND_AT.get(key, "PrivateUse3") if stands_for_several else key
        for key, stands_for_several in found
        if not _GOES_ON.fullmatch(key)
    }


def _watching(name: str, kernel: Any) -> Callable[..., Any]:
    def watched(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        _hear(name)
        return kernel.call_boxed(keyset, *args, **kwargs)

    return watched
