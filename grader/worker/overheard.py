"""Has a function tell that it runs, by other code in its place; knows nothing of whose it is."""

import sys
from collections.abc import Callable
from functools import cache
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FrameType, FunctionType
from typing import Any

_exec, _frame_at = exec, sys._getframe  # as they were before any learner could change them
# Takes what a function takes and has its free variables, makes it of them and calls it.
_TEMPLATE = """
def around({free}):
    def overheard({takes}):
        return "made".__call__((lambda: [{free}]).__closure__)({gives})
    return overheard.__code__
"""


def overheard(code: CodeType, tell: Callable[[FrameType], None]) -> CodeType:
    """Code that calls `tell`, with its own frame, and then does what this code does.

    It takes the same and has the same free variables, so that a function which is given it keeps
    its identity, its signature and its defaults, wherever it is known.
    """

    def made(cells: Any) -> FunctionType:
        frame = _frame_at(1)
        tell(frame)
        return FunctionType(code, frame.f_globals, code.co_name, None, cells)

    only, count = code.co_posonlyargcount, code.co_argcount
    last = count + code.co_kwonlyargcount
    names = list(code.co_varnames[: last + 2])
    starred = [f"*{names.pop(last)}"] if code.co_flags & CO_VARARGS else []
    named = names[count:last]
    rest = [f"**{names[last]}"] if code.co_flags & CO_VARKEYWORDS else []
    slash = ["/"] if only else []
    bare = ["*"] if named and not starred else []
    takes = [*names[:only], *slash, *names[only:count], *(starred or bare), *named, *rest]
    gives = [*names[:count], *starred, *(f"{name}={name}" for name in named), *rest]
    new = _compiled(", ".join(code.co_freevars), ", ".join(takes), ", ".join(gives))
    return new.replace(
        co_consts=tuple(made if each == "made" else each for each in new.co_consts),
        co_filename=code.co_filename,
        co_firstlineno=code.co_firstlineno,
        co_name=code.co_name,
        co_qualname=code.co_qualname,
    )


def by_name(note: Callable[[str], None], name: str) -> Callable[[FrameType], None]:
    """What tells no more than this name."""
    return lambda _: note(name)


@cache
def _compiled(free: str, takes: str, gives: str) -> CodeType:
    scope: dict[str, Any] = {}
    _exec(_TEMPLATE.format(free=free, takes=takes, gives=gives), scope)
    code: CodeType = scope["around"](*free.split(", ") if free else ())
    return code
