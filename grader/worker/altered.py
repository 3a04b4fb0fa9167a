"""Puts a changed exercise in the place of a learner's own for a while; judges neither."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Generator
from types import CodeType, FrameType, FunctionType
from typing import Any

from .edits import edits, parsed
from .source_lines import statements_by_line
from .values import printable

_MOST_DEFINITIONS = 8
_MOST_LINES = 20_000  # that one call may run before it is taken for endless
_MOST_IN_ALL = 200_000  # that all changes together may run
_settrace, _gettrace = sys.settrace, sys.gettrace
LabelOf = Callable[[str], str | None]


class Altered:
    """The learner's exercise with one edit after the other."""

    def __init__(
        self, names: dict[str, Any], exercise: str, skip: Collection[str], label_of: LabelOf
    ) -> None:
        self._names = names
        self._exercise = exercise
        self._own = names[exercise]
        self._label_of = label_of
        self._left = _MOST_IN_ALL
        self._edits = self._all(skip)

    def next(self) -> dict[str, Any] | None:
        """Put the next edit in place and say where it is; None where there are no more."""
        for made, row in self._edits:
            if self._left <= 0:
                break
            self._names[self._exercise] = made
            return row
        self.end()
        return None

    def bounded(self) -> Bounded:
        """Inside, the learner's lines may run only so often."""
        return Bounded(self._label_of, self._spend)

    def _spend(self, lines: int) -> None:
        self._left -= lines

    def end(self) -> None:
        """Put back what the learner wrote."""
        self._edits.close()
        self._names[self._exercise] = self._own

    def _all(self, skip: Collection[str]) -> Generator[tuple[Any, dict[str, Any]]]:
        code = _code(self._own)
        if code is None:
            return
        around = _globals(self._own)
        definitions = self._definitions(around, skip)
        if not definitions or definitions[0][0].name != self._exercise:
            return
        flags = code.co_flags & _FUTURE
        own = definitions[0]
        for definition, file in definitions:
            statements = statements_by_line(file)
            for kind, line in edits(definition):
                names = dict(around)
                try:
                    _define(definition, file, flags, names)
                    if definition is not own[0]:  # so that it calls the changed one
                        _define(*own, flags, names)
                except Exception:  # no Python any more, or it fails as it is defined
                    continue
                statement = statements.get(line)
                row = {
                    "label": printable(self._label_of(file) or ""),
                    "line": statement.first if statement else line,
                    "source": printable(statement.source) if statement else "",
                    "kind": kind,
                }
                yield names[self._exercise], row

    def _definitions(self, around: dict[str, Any], skip: Collection[str]) -> list[tuple[Any, str]]:
        """The exercise's own definition, then those of the learner's that it works with."""
        found: dict[str, tuple[Any, str]] = {}
        pending = [self._exercise]
        while pending and len(found) < _MOST_DEFINITIONS:
            name = pending.pop(0)
            thing = self._own if name == self._exercise else around.get(name)
            code = _code(thing)
            if name in found or code is None or self._label_of(code.co_filename) is None:
                continue
            if name != self._exercise and (
                name in skip or self._label_of(code.co_filename) in skip
            ):
                continue
            tree = parsed(code.co_filename)
            node = _definition(tree, name)
            if node is None:
                continue
            found[name] = node, code.co_filename
            pending += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        return list(found.values())


def _define(node: ast.stmt, file: str, flags: int, names: dict[str, Any]) -> None:
    exec(compile(ast.Module([node], []), file, "exec", flags, dont_inherit=True), names)


class Patience(BaseException):
    """A changed exercise runs so long that it may never end; no Exception, so that few catch it."""


class Bounded:
    """Inside, the learner's lines may run only so often."""

    def __init__(self, label_of: LabelOf, spend: Callable[[int], None]) -> None:
        self._label_of = label_of
        self._spend = spend
        self._labels: dict[CodeType, bool] = {}
        self._left = _MOST_LINES
        self._before: Any = None

    def __enter__(self) -> None:
        self._before = _gettrace()
        _settrace(self._called)

    def __exit__(self, *_: object) -> None:
        _settrace(self._before)
        self._spend(_MOST_LINES - self._left)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code not in self._labels:
            self._labels[code] = self._label_of(code.co_filename) is not None
        return self._listen if self._labels[code] else None

    def _listen(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Patience
        return self._listen


_FUTURE = 0x1FE0000  # the flags of `from __future__ import …`


def _code(thing: Any) -> CodeType | None:
    """Code of a function, or of a class's first method."""
    if isinstance(thing, FunctionType):
        return thing.__code__
    if isinstance(thing, type):
        for each in vars(thing).values():
            if isinstance(each, FunctionType) and each.__qualname__.startswith(thing.__qualname__):
                return each.__code__
    return None


def _globals(thing: Any) -> dict[str, Any]:
    if isinstance(thing, FunctionType):
        return thing.__globals__
    for each in vars(thing).values():
        if isinstance(each, FunctionType) and each.__qualname__.startswith(thing.__qualname__):
            return each.__globals__
    return {}


def _definition(tree: ast.Module | None, name: str) -> Any:
    kinds = (ast.FunctionDef, ast.ClassDef)
    same = [n for n in (tree.body if tree else ()) if isinstance(n, kinds) and n.name == name]
    return same[-1] if same else None
