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
_WITHOUT = re.compile(r"^'(int|float|bool|str|list|tuple|dict)' object has no attribute")
_TYPES = {each.__name__: each for each in (int, float, bool, str, list, tuple, dict)}


def unusable(one: Raised, made: Recording | None = None) -> tuple[RecordedStatement, str] | None:
    """The one line that sets such a name, and the name; `made` shows how a module was made.

    That is what is called and is no function, what is asked for what it has not, or None where
    something else is wanted. What is rightly used elsewhere is as it should be.
    """
    message, source = one.problem.message, one.statement.source
    if one.problem.type not in ("TypeError", "AttributeError"):
        return None
    if "object is not callable" in message:
        names = [name for name in _called(source) if _is_plain(one, name)]
    elif match := _WITHOUT.search(message):
        names = [name for name in _asked(source) if type(one.held.get(name)) is _TYPES[match[1]]]
    elif _OF_NONE.search(message):
        names = [n for n in one.statement.reads if n in one.held and one.held[n] is None]
    else:
        return None
    names = list(dict.fromkeys(names))
    if len(names) != 1:
        return None
    if not _OF_NONE.search(message) and any(_is_used(names[0], each.source) for each in one.ran):
        return None
    statement = one.made.get(names[0]) or _set_by(made, names[0])
    if statement is None or statement.place == one.statement.place:
        return None
    if re.fullmatch(r"[\w.]+(: [^=]+)? = None", statement.source):
        return None  # a beginning: what should have come after it is missing
    return statement, names[0]


def _asked(source: str) -> Iterator[str]:
    """Names, and parts of self, of which a statement asks an attribute."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Attribute):
            owner = ast.unparse(node.value)
            if owner.removeprefix("self.").isidentifier() and owner != "self":
                yield owner


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
    asked = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked += [node.value for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return any(
        isinstance(node, (ast.Name, ast.Attribute))
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node) == name
        and not any(node is each for each in asked)
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
