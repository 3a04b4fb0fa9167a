"""Which line made what the line that raised cannot use; knows no exercise and no right code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from torch import nn

from ...worker.values import Opaque
from .exceptions import Raised
from .idle_lines import parsed
from .recording import RecordedStatement, Recording

_OF_NONE = re.compile(r"'NoneType'|not NoneType")
_CALLED = re.compile(r"^'(\w+)' object is not callable")
_WITHOUT = re.compile(r"^'(\w+)' object has no attribute")
_SIDES = re.compile(r"^unsupported operand type\(s\) for [^:]+: '(\w+)' and '(\w+)'")
_ABSENT = object()
_NO_TENSOR = re.compile(r"must be Tensor, not (\w+)")


def bad_operand(one: Raised, made: Recording | None = None) -> tuple[RecordedStatement, str] | None:
    """The one line that sets such a name, and the name; `made` shows how a module was made.

    That is what is called and is no function, what is asked for what it has not, or None where
    something else is wanted. What is rightly used elsewhere is as it should be.
    """
    message, source = one.problem.message, one.statement.source
    if one.problem.type not in ("TypeError", "AttributeError"):
        return None
    if match := _CALLED.search(message):
        names = [name for name in _called(source) if _is_of(one, made, name, match[1])]
    elif _OF_NONE.search(message):
        names = [n for n in one.statement.reads if n in one.held and one.held[n] is None]
    elif match := _WITHOUT.search(message):
        asked = [name for name in _asked(source) if _is_of(one, made, name, match[1])]
        names = asked or [name for name in _given(source) if _is_of(one, made, name, match[1])]
    elif match := _NO_TENSOR.search(message) or _SIDES.search(message):
        kinds = [kind for kind in match.groups() if kind != "Tensor"]
        names = [n for n in _given(source) if any(_is_of(one, made, n, kind) for kind in kinds)]
    else:
        return None
    names = list(dict.fromkeys(names))
    if len(names) != 1:
        return None
    statement = one.made.get(names[0]) or _set_by(made, names[0])
    if statement is None or statement.place == one.statement.place:
        return None
    later = list(one.ran)
    if statement in later:
        later = later[later.index(statement) + 1 :]
    later = [each for each in later if each.place != one.statement.place]
    if not _OF_NONE.search(message) and any(_is_used(names[0], each.source) for each in later):
        return None
    # A beginning, after which something is missing; or a name for what another line has made.
    if re.fullmatch(r"[\w.]+(: [^=]+)? = [\w.]+", statement.source) and _OF_NONE.search(message):
        return None
    return statement, names[0]


def shadowed(one: Raised, made: Recording | None) -> tuple[RecordedStatement, str] | None:
    """The line that gives a part the name of a method that every module has, and the name.

    Where the line that raised calls it: that finds the method, as parts are looked for last.
    """
    if made is None:
        return None
    plain = {name for event in made.events for name in event.writes}
    for name in _called(one.statement.source):
        makers = [each for each in made.statements if name in each.sets and name not in plain]
        method = name.removeprefix("self.")
        if makers and method != name and callable(getattr(nn.Module, method, None)):
            return makers[-1], method
    return None


def _asked(source: str) -> Iterator[str]:
    """Names, and parts of self, of which a statement asks an attribute."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) != "self":
            yield from _names(node.value, tree)


def _called(source: str) -> Iterator[str]:
    """Names, and parts of self, that a statement calls."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call):
            yield from _names(node.func, tree)


def _given(source: str) -> Iterator[str]:
    """Names, and parts of self, that a statement hands on as they are, or reckons with."""
    tree = parsed(source)
    for node in ast.walk(tree) if tree is not None else ():
        sides: list[ast.expr] = []
        if isinstance(node, ast.Call):
            sides = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.BinOp):
            sides = [node.left, node.right]
        for side in sides:
            yield from _names(side, tree)


def _names(node: ast.expr, tree: ast.AST | None) -> Iterator[str]:
    """The name that stands there, or the part of self; all that a comprehension names so."""
    name = ast.unparse(node)
    if not name.removeprefix("self.").isidentifier():
        return
    parts = [
        part
        for each in (ast.walk(tree) if tree is not None else ())
        if isinstance(each, ast.comprehension) and ast.unparse(each.target) == name
        for part in (each.iter.elts if isinstance(each.iter, ast.Tuple | ast.List) else ())
    ]
    for part in parts:
        yield from _names(part, None)
    if not parts:
        yield name


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


def _is_of(one: Raised, made: Recording | None, name: str, kind: str) -> bool:
    """Whether a name holds something of this type, as far as that has been recorded."""
    value = one.held.get(name, _ABSENT)
    if value is _ABSENT and made is not None:  # what a module holds
        values = [event.writes[name] for event in made.events if name in event.writes]
        value = values[-1] if values else _ABSENT
    return value is not _ABSENT and _kind_of(value) == kind


def _kind_of(value: Any) -> str:
    return value.type_name if isinstance(value, Opaque) else type(value).__name__


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
