"""Knows the layers that libraries bring ready-made and notices which run; knows no exercise.

Operators betray a function, but not a whole layer that runs as many small operators.
"""

import contextlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import CodeType, FunctionType, ModuleType
from typing import Any

import torch
from torch import nn

_LIBRARIES = ("torch.", "transformers.")  # of those that bring layers; other code is one's own
_MANGLED = re.compile(r"___torch_mangle_\d+\.")
# Read through `type` itself: a learner's metaclass may answer otherwise.
_MRO, _MODULE, _NAME = (type.__dict__[name] for name in ("__mro__", "__module__", "__qualname__"))
# Functions that run as many small operators.
_COMPOSED = (
    *("multi_head_attention_forward", "rms_norm", "instance_norm", "local_response_norm", "kl_div"),
)
# Layers that run as such.
_LAYERS = ("MultiheadAttention", "AdaptiveLogSoftmaxWithLoss")
# Families of names in PyTorch, of whatever they begin or end with.
FAMILIES = re.compile(
    "softmax|gelu|(layer|rms|group|batch|instance)_norm"
    "|nll_?loss|margin_?loss|cross_?entropy|ctc_?loss|kl_?div"
    "|scaled_dot|attention|transformer_encoder|bias_rescale_qkv|pointwise|addmm_activation"
    "|torch[.]_refs::_normalize"  # what is left of a layer norm without its scale and shift
)
# What its operators betray: these functions do no more than call one, or are listened to below.
_BY_OPERATORS = ("torch.nn.", "torch.functional", "torch._tensor", "torch.overrides")
_TORCH = str(torch.__file__).rpartition("__init__")[0]
_WRAPS = frozenset({"__wrapped__", "__signature__"})  # what has one of them stands for another
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


def watch(note: Callable[[str], None]) -> None:
    """Have `note` hear the name of each ready-made layer or distribution when it runs.

    A function keeps its identity and gets another code, which holds wherever else it is known.
    """
    _known.update((kind, _full_name(kind)) for kind in _below(nn.Module))
    for kind, name in _known.items():
        if name.startswith("torch.nn.modules.transformer.") or name.endswith(_LAYERS):
            _listen(kind.__dict__.get("forward"), partial(note, name))
    lrn = nn.modules._functions.CrossMapLRN2d
    _listen(lrn.forward, partial(note, _full_name(lrn)))
    transform = torch.distributions.transforms.Transform
    for kind in (*_below(torch.distributions.Distribution), *_below(transform)):
        for method in ("__init__", "_call"):
            _listen(kind.__dict__.get(method), partial(note, _full_name(kind)))
    for name in _COMPOSED:
        told = partial(note, f"torch.nn.functional.{name}")
        _listen(getattr(nn.functional, name, None), told)


def watch_scripts(note: Callable[[str], None]) -> None:
    """Have `note` hear of each of PyTorch's functions that TorchScript compiles.

    What is compiled runs without the function, and others that it calls are compiled with it.
    """

    def compiled() -> None:
        function = sys._getframe(1).f_locals["args"][0]  # of the call that is overheard
        code = getattr(function, "__code__", None)
        if code is not None and code.co_filename.startswith(_TORCH):
            file = code.co_filename.removeprefix(_TORCH).removesuffix(".py").replace("/", ".")
            note(f"torch.{file}.{code.co_name}")

    _listen(torch.jit.frontend.get_jit_def, compiled)


def watch_copies(note: Callable[[str], None]) -> None:
    """Have `note` hear of PyTorch's functions that compute in Python what an operator does.

    Those of modules that are loaded later are watched when they are.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith("torch."):
            _watch_module(module, note)
    sys.meta_path.insert(0, _Later(note))


class _Later:
    """Watches modules of PyTorch's as they are loaded; finds none itself."""

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("torch."):
            return None
        others = (each for each in sys.meta_path if each is not self)
        found = (each.find_spec(name, path, target) for each in others)
        spec = next((each for each in found if each is not None), None)
        loader: Any = spec.loader if spec is not None else None
        if hasattr(loader, "exec_module"):
            execute = loader.exec_module

            def watched(module: ModuleType) -> None:
                execute(module)
                _watch_module(module, self._note)

            with contextlib.suppress(AttributeError):
                loader.exec_module = watched
        return spec


def _watch_module(module: ModuleType, note: Callable[[str], None]) -> None:
    """Listen to functions of families, or in a module of one, below whatever decorates them."""
    if not isinstance(module, ModuleType) or module.__name__.startswith(_BY_OPERATORS):
        return
    for value in list(vars(module).values()):
        kept: tuple[Any, ...] = (value,)
        if type(value).__module__ == "torch._library.custom_ops":  # it keeps its function
            kept = tuple(vars(value).values())
        for function in (each for each in kept if type(each) is FunctionType):
            plain = inspect.unwrap(function)
            name = f"{module.__name__}::{plain.__name__}"
            if plain.__module__ == module.__name__ and FAMILIES.search(name):
                _listen(plain, partial(note, name))


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
    if not isinstance(function, FunctionType) or _WRAPS.intersection(vars(function)):
        return
    code, before = overheard(function, note)
    # For all who ask what it takes. Its source is found by its code, and no name leads below that.
    vars(function)["__signature__"] = inspect.signature(before)
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
