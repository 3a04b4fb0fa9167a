"""Reads what a learner's object is, however odd it is; calls nothing of the exercise's own.

An object may answer any question with an error or a lie. So types are asked instead of objects
where that is enough, and all else is asked for in `_safely`.
"""

import functools
import inspect
import linecache
from collections.abc import Callable, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any, TypeVar

from ..worker.namespace import Bound
from ..worker.values import MAX_NAME

# What a learner calls a file of code: In [3] for a cell; None for code that is not theirs.
label = Bound.label_of
T = TypeVar("T")
MAX_WRAPPERS = 100
_LIBRARIES = ("builtins", "torch", "transformers", "scipy", "numpy")


def is_a(value: object, kind: type) -> bool:
    """As isinstance, which would ask the object itself for its `__class__`."""
    return issubclass(type(value), kind)


def own_name(value: object) -> str | None:
    """The name that a function or class was defined with, where it has one."""
    if is_a(value, type):
        name = _safely(lambda: type.__dict__["__name__"].__get__(value), None)
    else:
        name = _safely(lambda: getattr(value, "__name__", None), None)
    return text(name) if is_a(name, str) else None


def text(value: Any) -> str:
    """A plain copy of a string, of whatever subclass it is."""
    return str.__getitem__(value, slice(0, MAX_NAME))


def global_names(value: object) -> Mapping[str, Any]:
    """The names that a function or class sees where it was defined; none where that is unknown."""
    function = _function(value)
    return {} if function is None else function.__globals__


def file(value: object) -> str:
    """The file of the code of a function, or of a class's first method; empty where unknown."""
    function = _function(value)
    return "" if function is None else function.__code__.co_filename


def is_ready_made(value: object) -> bool:
    """Whether it is a library's, such as `torch.softmax`."""
    function = _function(value)
    module = _safely(lambda: function.__module__, None) if function is not None else "builtins"
    return is_a(module, str) and str(module).partition(".")[0] in _LIBRARIES


def source(value: object) -> str:
    """The text that defines it, with the cell around it where no less is known; or nothing."""
    known = _safely(lambda: inspect.getsource(value), "")  # type: ignore[arg-type]
    return known or "".join(linecache.getlines(file(value)))


def _function(value: object) -> FunctionType | None:
    """The Python function behind wrappers, methods and classes."""
    for _ in range(MAX_WRAPPERS):
        inner = _safely(lambda it=value: inspect.getattr_static(it, "__wrapped__", None), None)  # type: ignore[misc]
        if inner is not None:
            value = inner
        elif is_a(value, functools.partial):
            value = value.func  # type: ignore[attr-defined]
        elif is_a(value, MethodType) or is_a(value, staticmethod) or is_a(value, classmethod):
            value = value.__func__  # type: ignore[attr-defined]
        else:
            break
    if type(value) is FunctionType:
        return value
    kind = value if is_a(value, type) else type(value)
    return _safely(lambda: _method(kind), None)  # type: ignore[arg-type]


def _method(kind: type) -> FunctionType | None:
    """A method that the class itself brings, else one that it inherits from code of one's own."""
    for base in type.__dict__["__mro__"].__get__(kind):
        held = type.__dict__["__dict__"].__get__(base)
        for part in ("forward", "__init__", "__call__", *held):
            function = held.get(part)
            if type(function) is FunctionType and base.__module__.partition(".")[0] != "torch":
                return function
    return None


def _safely(ask: Callable[[], T], otherwise: T) -> T:
    """What asking gives; `otherwise` where the object answers with an error."""
    try:
        return ask()
    except KeyboardInterrupt:
        raise
    except BaseException:  # a learner's __getattr__ may raise anything
        return otherwise


def is_module(value: object) -> bool:
    """Whether it is a module, such as `softmax` after `import softmax`."""
    return is_a(value, ModuleType)
