"""Which line made what the line that raised cannot use; knows no exercise and no right code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...worker.values import Opaque
from .exceptions import Raised
from .recording import RecordedStatement, Recording
from .slips import parsed

_OF_NONE = re.compile(r"'NoneType'|not NoneType")


def unusable(one: Raised, made: Recording | None = None) -> tuple[RecordedStatement, str] | None:
    """The one line that sets such a name, and the name; `made` shows how a module was made.

    That is what is called and is no function, or None where something else is wanted.
    """
    if one.problem.type not in ("TypeError", "AttributeError"):
        return None
    if "object is not callable" in one.problem.message:
        names = [name for name in _called(one.statement.source) if _is_plain(one, name)]
    elif _OF_NONE.search(one.problem.message):
        names = [n for n in one.statement.reads if n in one.held and one.held[n] is None]
    else:
        return None
    names = list(dict.fromkeys(names))
    if len(names) != 1:
        return None
    statement = one.made.get(names[0]) or _set_by(made, names[0])
    if statement is None or statement.place == one.statement.place:
        return None
    if re.fullmatch(r"[\w.]+(: [^=]+)? = None", statement.source):
        return None  # a beginning: what should have come after it is missing
    return statement, names[0]


def _called(source: str) -> Iterator[str]:
    """Names, and parts of self, that a statement calls."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Call):
            continue
        function = ast.unparse(node.func)
        if function.removeprefix("self.").isidentifier():
            yield function


def _is_plain(one: Raised, name: str) -> bool:
    return name in one.held and not isinstance(one.held[name], Opaque)


def _set_by(made: Recording | None, name: str) -> RecordedStatement | None:
    for event in reversed(made.events if made is not None else ()):
        if name in event.writes and event.kind in ("line", "return"):
            return made.statements[event.statement] if made is not None else None
    return None
