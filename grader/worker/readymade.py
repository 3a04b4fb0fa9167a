"""Knows the layers that libraries bring ready-made and notices which run; knows no exercise.

Operators betray a function, but not a whole layer that runs as many small operators.
"""

import contextlib
import gc
import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch
from torch import nn

from .heard_packages import is_heard_whole
from .overheard import by_name, overheard

Note = Callable[[str], None]

_LIBRARIES = ("torch.", "transformers.")  # of those that bring layers; other code is one's own
_MANGLED = re.compile(r"___torch_mangle_\d+\.")
# Read through `type` itself: a learner's metaclass may answer otherwise.
_MRO, _MODULE, _NAME = (type.__dict__[name] for name in ("__mro__", "__module__", "__qualname__"))
# Families of names in PyTorch, of whatever they begin or end with.
_NAMES = (
    "softmax|gelu|(layer|rms|group|batch|instance)_norm"
    "|nll_?loss|margin_?loss|cross_?entropy|ctc_?loss|kl_?div|scaled_dot|attention"
    "|torch[.]_refs::_normalize"  # what is left of a layer norm without its scale and shift
)
FAMILIES = re.compile(f"{_NAMES}|transformer_encoder|bias_rescale_qkv|pointwise|addmm_activation")
# The same of functions and methods in Python, in small letters: to ignore case takes four times as
# long.
IN_PYTHON = re.compile(f"{_NAMES}|transformer|multi_?head|(layer|batch|rms)norm|lrn|local_response")
TORCH = str(torch.__file__).rpartition("__init__")[0]
_DEFINED = re.compile(r"^\s*(?:async\s+def|def|class)\s+(\w+)", re.MULTILINE)
_known: dict[type, str] = {}  # names as they were before any learner could change them


def kinds(module: nn.Module) -> Iterator[str]:
    """The qualified names of those among a module's class and bases that a library brought."""
    names = [_known.get(kind) or _full_name(kind) for kind in _MRO.__get__(type(module))]
    if isinstance(module, torch.jit.RecursiveScriptModule):  # all of one class to Python
        with contextlib.suppress(AttributeError, RuntimeError):
            scripted = module._c._type().qualified_name()
            names.append(_MANGLED.sub("", scripted).removeprefix("__torch__."))
    return (name for name in names if name.startswith(_LIBRARIES))


def watch(note: Note) -> None:
    """Have `note` hear the name of each ready-made function of PyTorch's in Python when it runs.

    Of some packages that is all, of others what belongs to a family; methods and lambdas too. A
    function keeps its identity and gets another code, which holds wherever else it is known.
    """
    _known.update((kind, _full_name(kind)) for kind in _below(nn.Module))
    for function in gc.get_objects():
        if type(function) is FunctionType and (name := heard(function.__code__)) is not None:
            _listen(function, by_name(note, name))


def watch_scripts(note: Note) -> None:
    """Have `note` hear of each of PyTorch's functions that TorchScript compiles.

    What is compiled runs without the function, and others that it calls are compiled with it.
    """

    def read(frame: FrameType) -> None:
        """Whatever compiles a function asks whether it has been, and reads its source, by these."""
        thing = next(iter(frame.f_locals.values()), None)  # that it is given
        for_itself = by_itself(frame, lambda code: code.co_name == "<module>")
        for name in _read_by(thing):
            if not (for_itself and "backward" in name):
                note(name)

    _listen(torch._sources.get_source_lines_and_file, read)
    _listen(torch.jit._state._try_get_jit_cached_function, read)


def _read_by(thing: Any) -> list[str]:
    """What PyTorch defines in the source that this has: a function, its code, a frame, a class …"""
    with contextlib.suppress(Exception):  # it has none
        thing = inspect.unwrap(thing)
        file = inspect.getsourcefile(thing) or ""
        if file.startswith(TORCH):
            lines = "".join(inspect.getsourcelines(thing)[0])
            return [f"{_module_of(file)}.{name}" for name in _DEFINED.findall(lines)]
    return []


def by_itself(frame: FrameType | None, is_loading: Callable[[CodeType], bool]) -> bool:
    """Whether a module of PyTorch's that is being loaded came here, and no other code between.

    Its gradients are compiled so when forward mode is first used.
    """
    while frame is not None and frame.f_code.co_filename.startswith(TORCH):
        if is_loading(frame.f_code):
            return True
        frame = frame.f_back
    return False


def heard(code: CodeType) -> str | None:
    """What a function of PyTorch's is called, if it is one to be heard; None for others."""
    if not code.co_filename.startswith(TORCH):
        return None
    module = _module_of(code.co_filename)
    name = f"{module}::{code.co_qualname}"
    return name if IN_PYTHON.search(name.lower()) or is_heard_whole(module) else None


@cache
def _module_of(file: str) -> str:
    """The module of PyTorch's that a file of its is."""
    file = file.removeprefix(TORCH).removesuffix(".py").replace("/", ".")
    return f"torch.{file}".removesuffix(".__init__")


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


def _listen(function: Any, tell: Callable[[FrameType], None]) -> None:
    if isinstance(function, FunctionType):
        function.__code__ = overheard(function.__code__, tell)
