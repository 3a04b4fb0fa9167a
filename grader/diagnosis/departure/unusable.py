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
        if any(_is_used(name, other.source) for name in names for other in one.ran):
            return None  # it is what it should be, and called by mistake
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


def _is_used(name: str, source: str) -> bool:
    """Whether a statement works with it in another way than to call it."""
    tree = parsed(source)
    if tree is None:
        return name in source
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(
        isinstance(node, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node) == name
        and not any(node is each for each in called)
        for node in ast.walk(tree)
    )


def _is_plain(one: Raised, name: str) -> bool:
    return name in one.held and not isinstance(one.held[name], Opaque)


def _set_by(made: Recording | None, name: str) -> RecordedStatement | None:
    """The statement that gives it its value; where that was handed in, the one that did so."""
    if made is None:
        return None
    for event in reversed(made.events):
        if name not in event.writes or event.kind not in ("line", "return"):
            continue
        statement = made.statements[event.statement]
        handed = statement.source.partition(" = ")[2]
        calls = [e for e in made.events if e.frame == event.frame and e.kind == "call"]
        if calls and handed in calls[0].writes and calls[0].at >= 0:
            return made.statements[calls[0].at]
        return statement
    return None
