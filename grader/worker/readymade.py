"""Knows the layers that libraries bring ready-made and notices which run; knows no exercise.

Operators betray a function, but not a whole layer that runs as many small operators.
"""

import contextlib
import re
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any

import torch
from torch import nn

from .call_notes import overheard

_LIBRARIES = ("torch.", "transformers.")  # of those that bring layers; other code is one's own
_MANGLED = re.compile(r"___torch_mangle_\d+\.")
# Read through `type` itself: a learner's metaclass may answer otherwise.
_MRO, _MODULE, _NAME = (type.__dict__[name] for name in ("__mro__", "__module__", "__qualname__"))
# Functions that run as many small operators.
_COMPOSED = (
    *("multi_head_attention_forward", "rms_norm", "instance_norm", "local_response_norm", "kl_div"),
)
_known: dict[type, str] = {}  # names as they were before any learner could change them


def kinds(module: nn.Module) -> Iterator[str]:
    """The qualified names of those among a module's class and bases that a library brought."""
    names = [_known.get(kind) or _full_name(kind) for kind in _MRO.__get__(type(module))]
    if isinstance(module, torch.jit.RecursiveScriptModule):  # all of one class to Python
        with contextlib.suppress(AttributeError, RuntimeError):
            scripted = module._c._type().qualified_name()
            names.append(_MANGLED.sub("", scripted).removeprefix("__torch__."))
    return (name for name in names if name.startswith(_LIBRARIES))


def watch(note: Callable[[str], None]) -> None:
    """Have `note` hear the name of each ready-made attention or distribution when it runs.

    A function keeps its identity and gets another code, which holds wherever else it is known.
    """
    _known.update((kind, _full_name(kind)) for kind in _below(nn.Module))
    for kind, name in _known.items():
        if name.startswith("torch.nn.modules.transformer.") or name.endswith("MultiheadAttention"):
            _listen(kind.__dict__.get("forward"), name, note)
    transform = torch.distributions.transforms.Transform
    for kind in (*_below(torch.distributions.Distribution), *_below(transform)):
        for method in ("__init__", "_call"):
            _listen(kind.__dict__.get(method), _full_name(kind), note)
    for name in _COMPOSED:
        _listen(getattr(nn.functional, name, None), f"torch.nn.functional.{name}", note)


def _below(kind: type) -> list[type]:
    """A class and all that derive from it so far."""
    found: dict[type, None] = {kind: None}
    derived: type
    for derived in type.__subclasses__(kind):
        found.update(dict.fromkeys(_below(derived)))
    return list(found)


def _full_name(kind: type) -> str:
    module, name = _MODULE.__get__(kind), _NAME.__get__(kind)
    return f"{module}.{name}" if isinstance(module, str) else ""


def _listen(function: Any, name: str, note: Callable[[str], None]) -> None:
    if not isinstance(function, FunctionType) or "__wrapped__" in vars(function):
        return
    code, before = overheard(function, partial(note, name))
    vars(function)["__wrapped__"] = before  # what signature, source and TorchScript are read from
    function.__code__ = code
