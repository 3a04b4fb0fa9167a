"""Puts a changed exercise in the place of a learner's own for a while; judges neither."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Generator, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

from .edits import edits
from .source_lines import parsed, statements_by_line
from .values import printable

_MOST_DEFINITIONS = 8
_MOST_LINES = 20_000  # that one call may run before it is taken for endless
_MOST_OF_OTHERS = 400_000  # that one call may run of other exercises, which are not changed
_MOST_IN_ALL = 200_000  # that all changes together may run
_MOST_OF_CLASSES = 60_000  # the same; their lines take longer
_settrace, _gettrace = sys.settrace, sys.gettrace
LabelOf = Callable[[str], str | None]


class Altered:
    """The learner's exercise with one edit after the other."""

    def __init__(
        self,
        names: dict[str, Any],
        exercise: str,
        skip: Collection[str],
        label_of: LabelOf,
        lines: Collection[Sequence[Any]] | None = None,
    ) -> None:
        """`lines`: labels and first lines of the statements that may change, if not all may."""
        self._names = names
        self._exercise = exercise
        self._own = names[exercise]
        self._label_of = label_of
        self._skip = frozenset(skip)
        self._left = _MOST_OF_CLASSES if isinstance(self._own, type) else _MOST_IN_ALL
        self._lines = None if lines is None else {(label, line) for label, line in lines}
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
        return Bounded(self._label_of, self._skip, self._spend)

    def _spend(self, lines: int) -> None:
        self._left -= lines

    def end(self) -> None:
        """Put back what the learner wrote."""
        self._edits.close()
        self._names[self._exercise] = self._own

    def _all(self, skip: Collection[str]) -> Generator[tuple[Any, dict[str, Any]]]:
        function = _function(self._own)
        if function is None:
            return
        around = function.__globals__
        definitions = self._definitions(around, skip)
        if not definitions or definitions[0][0].name != self._exercise:
            return
        flags = function.__code__.co_flags & _FUTURE
        own = definitions[0]
        for definition, file in definitions:
            statements = statements_by_line(file)
            label = printable(self._label_of(file) or "")
            for kind, line in edits(definition):
                statement = statements.get(line)
                first = statement.first if statement else line
                if self._lines is not None and (label, first) not in self._lines:
                    continue
                names = dict(around)
                try:
                    _define(definition, file, flags, names)
                    if definition is not own[0]:  # so that it calls the changed one
                        _define(*own, flags, names)
                except Exception:  # no Python any more, or it fails as it is defined
                    continue
                source = printable(statement.source) if statement else ""
                row = {"label": label, "line": first, "source": source, "kind": kind}
                yield names[self._exercise], row

    def _definitions(self, around: dict[str, Any], skip: Collection[str]) -> list[tuple[Any, str]]:
        """The exercise's own definition, then those of the learner's that it works with."""
        found: dict[str, tuple[Any, str]] = {}
        pending = [self._exercise]
        while pending and len(found) < _MOST_DEFINITIONS:
            name = pending.pop(0)
            thing = self._own if name == self._exercise else around.get(name)
            function = _function(thing)
            if name in found or function is None:
                continue
            file = function.__code__.co_filename
            label = self._label_of(file)
            if label is None or (name != self._exercise and (name in skip or label in skip)):
                continue
            node = _definition(parsed(file), name)
            if node is None:
                continue
            found[name] = node, file
            pending += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        return list(found.values())


def _define(node: ast.stmt, file: str, flags: int, names: dict[str, Any]) -> None:
    exec(compile(ast.Module([node], []), file, "exec", flags, dont_inherit=True), names)


class Patience(BaseException):
    """A changed exercise runs so long that it may never end; no Exception, so that few catch it."""


class Bounded:
    """Inside, the learner's lines may run only so often; more of them in other exercises."""

    def __init__(
        self, label_of: LabelOf, skip: Collection[str], spend: Callable[[int], None]
    ) -> None:
        self._label_of = label_of
        self._skip = skip
        self._spend = spend
        self._labels: dict[CodeType, str | None] = {}
        self._left, self._left_of_others = _MOST_LINES, _MOST_OF_OTHERS
        self._others = 0  # calls of other exercises that are under way
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
            self._labels[code] = self._label_of(code.co_filename)
        label = self._labels[code]
        if label is None:
            return None
        if self._others or label in self._skip or _outermost(code) in self._skip:
            self._others += 1
            return self._listen_to_others
        return self._listen

    def _listen(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Patience
        return self._listen

    def _listen_to_others(self, frame: FrameType, event: str, argument: Any) -> Any:
        self._others -= event == "return"
        self._left_of_others -= 1
        if self._left_of_others < 0:
            raise Patience
        return self._listen_to_others


def _outermost(code: CodeType) -> str:
    return code.co_qualname.partition(".")[0]


_FUTURE = 0x1FE0000  # the flags of `from __future__ import …`


def _function(thing: Any) -> FunctionType | None:
    """A function itself; of a class its first method."""
    if isinstance(thing, FunctionType):
        return thing
    methods = vars(thing).values() if isinstance(thing, type) else ()
    for each in methods:
        if isinstance(each, FunctionType) and each.__qualname__.startswith(thing.__qualname__):
            return each
    return None


def _definition(tree: ast.Module | None, name: str) -> Any:
    kinds = (ast.FunctionDef, ast.ClassDef)
    same = [n for n in (tree.body if tree else ()) if isinstance(n, kinds) and n.name == name]
    return same[-1] if same else None
