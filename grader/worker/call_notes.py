"""Has a function note each of its calls and stay the same object; knows no reader of the notes."""

from collections.abc import Callable
from functools import cache
from types import CodeType, FunctionType
from typing import Any

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
