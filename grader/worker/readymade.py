"""Knows the layers that libraries bring ready-made and notices which run; knows no exercise.

Operators betray a function, but not a whole layer that runs as many small operators.
"""

import contextlib
import gc
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import CodeType, FrameType, FunctionType
from typing import Any

import torch
from torch import nn

from .heard_packages import is_heard_whole

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
# Its free variables are those of the function that it stands in for. They are named behind the
# return, as they have to be a part of the code and must not be read: one may still be empty.
_TEMPLATE = """
def around({names}):
    def overheard(*args, **kwargs):
        note, function = ("note", "function")  # a constant, which is replaced
        note()
        return function(*args, **kwargs)
        [{names}]
    return overheard.__code__
"""


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
            _listen(function, partial(note, name))


def watch_scripts(note: Note) -> None:
    """Have `note` hear of each of PyTorch's functions that TorchScript compiles.

    What is compiled runs without the function, and others that it calls are compiled with it.
    """

    def read() -> None:
        """Whatever compiles a function asks whether it has been, and reads its source, by these."""
        frame = sys._getframe(1)  # that is overheard
        call = frame.f_locals
        thing = next(iter((*call["args"], *call["kwargs"].values())), None)
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
    if not code.co_filename.startswith(TORCH) or code.co_qualname == _code(()).co_qualname:
        return None  # another's, or heard by now
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


def _listen(function: Any, note: Callable[[], None]) -> None:
    """What an attribute says of a function is anybody's to write, and keeps it from nothing."""
    if not isinstance(function, FunctionType):
        return
    code, before = overheard(function, note)
    # For all who ask what it takes. Its source is found by its code, and no name leads below that.
    if "__wrapped__" not in vars(function):
        with contextlib.suppress(Exception):  # of code that other code has put together
            vars(function).setdefault("__signature__", inspect.signature(before))
    function.__code__ = code


def overheard(function: FunctionType, note: Callable[[], None]) -> tuple[CodeType, FunctionType]:
    """Code for `function` that calls `note` and then what the function was, and that function.

    A function that is given this code keeps its identity, wherever else it is known.
    """
    code = function.__code__
    before = FunctionType(
        code, function.__globals__, code.co_name, function.__defaults__, function.__closure__
    )
    before.__kwdefaults__ = function.__kwdefaults__
    before.__annotations__ = function.__annotations__
    new = _code(code.co_freevars)
    parts = (note, before)
    new = new.replace(
        co_consts=tuple(parts if type(each) is tuple else each for each in new.co_consts),
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
        co_name=code.co_name,
    )
    return new, before


@cache
def _code(free: tuple[str, ...]) -> CodeType:
    scope: dict[str, Any] = {}
    exec(_TEMPLATE.format(names=", ".join(free)), scope)
    code: CodeType = scope["around"](*free)
    return code
