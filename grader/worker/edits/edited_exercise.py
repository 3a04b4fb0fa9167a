"""Puts a changed exercise in the place of a learner's own for a while; judges neither."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any

from ..bounded_memory import address_space, within
from ..source_lines import parsed, part_of, statements_by_line
from ..ticks import NAME, NO_END, Counted, Ticks
from ..trail import size_of
from ..values import printable
from .all_edits import GROUPS, edits
from .replacements import Context

_MOST_DEFINITIONS = 8
_MOST_COMPILED = 3_000_000  # nodes of syntax trees: of a usual function all of its changes
# Statements that a call may run before it is taken for endless; some are counted together.
_LEAST_STATEMENTS, _STATEMENTS_PER_BYTE = 20_000, 50
_MOST_STATEMENTS = 400_000  # the same, once a change has shown itself to be worth the while
_FIRST_CALLS, _FIRST_CALLS_OF_CLASSES = 1, 3  # that show it
_MOST_ENDLESS, _MOST_ENDLESS_OF_CLASSES = 100, 3  # calls; those of classes take longer
_ROOM = 256 * 2**20  # bytes that changed code may take beyond what is taken as changes begin
LabelOf = Callable[[str], str | None]


class EditedExercise:
    """The learner's exercise with one edit after the other."""

    def __init__(
        self,
        names: dict[str, Any],
        exercise: str,
        skip: Collection[str],
        label_of: LabelOf,
        lines: Collection[Sequence[Any]] | None = None,
        texts: Sequence[str] = (),
        sizes: Sequence[str] = (),
        has_tensors: bool = True,
    ) -> None:
        """`lines`: labels and first lines of the statements that may change, if not all may;
        `texts`: of the docstring; `sizes`: attributes of what a class is made with;
        `has_tensors`: whether it is about tensors."""
        self._names = names
        self._exercise = exercise
        self._own = names[exercise]
        self._label_of = label_of
        self._most_bytes = address_space(_ROOM)
        is_class = isinstance(self._own, type)
        self._left = _MOST_ENDLESS_OF_CLASSES if is_class else _MOST_ENDLESS
        self._first_calls = _FIRST_CALLS_OF_CLASSES if is_class else _FIRST_CALLS
        self._calls = 0  # of what stands there now
        self._made: list[Any] = []
        self._ticks = Ticks()
        self._lines = None if lines is None else {(label, line) for label, line in lines}
        self._context = Context(texts=tuple(texts), sizes=tuple(sizes), has_tensors=has_tensors)
        self._edits = self._all(skip)

    def next(self) -> dict[str, Any] | None:
        """Put the next edit in place and say where it is; None where there are no more."""
        for made, row in self._edits:
            if self._left <= 0:
                break
            self._calls = 0
            self._made.append(made)
            self._names[self._exercise] = made
            return row
        return None

    def put(self, index: int) -> None:
        """Put one of the edits since `forget` in place again: it is worth the while."""
        self._calls = self._first_calls
        self._names[self._exercise] = self._made[index]

    def forget(self) -> None:
        """Keep no edits made so far."""
        self._made.clear()

    @contextmanager
    def bounded(self, given: Any) -> Iterator[None]:
        """Inside, the learner's code may run only so long, at first by what it is given, and take
        only so much memory: a change may make what is built a thousand times larger."""
        self._calls += 1
        most = _LEAST_STATEMENTS + _STATEMENTS_PER_BYTE * size_of(given)
        if self._calls > self._first_calls:
            most = max(most, _MOST_STATEMENTS)
        with within(self._most_bytes):
            self._ticks.left = most
            try:
                yield
            finally:
                left, self._ticks.left = self._ticks.left, NO_END
                self._left -= left < 0

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
        if not definitions or definitions[0].node.name != self._exercise:
            return
        own = definitions[0]
        whole = own.compiled()
        functions = [each.compiled() for each in definitions[:0:-1] if not each.is_constant]
        counting = self._counting(around)
        left = _MOST_COMPILED
        pairs = (
            (each, row)
            for group in GROUPS
            for each in definitions
            for row in self._of(each, replace(self._context, group=group))
        )
        for definition, row in pairs:
            left -= definition.size + (own.size if definition is not own else 0)
            if left < 0:
                return
            names = dict(counting)
            try:
                exec(definition.compiled(), names)
                if definition.is_constant:  # so that they read the changed one
                    for each in functions:
                        exec(each, names)
                if definition is not own:  # so that it calls the changed one
                    exec(whole, names)
            except Exception:  # no Python any more, or it fails as it is defined
                continue
            yield names[self._exercise], row

    def _counting(self, around: dict[str, Any]) -> dict[str, Any]:
        """The names that there are, where functions that it works with count their loops.

        Classes stay what they are: objects that were made before are theirs.
        """
        names = {**around, NAME: self._ticks}
        for definition in self._definitions(around, ())[:0:-1]:
            if definition.counted.loops and isinstance(definition.node, ast.FunctionDef):
                with suppress(Exception):  # else it stays what it was
                    exec(definition.compiled(), names)
        return names

    def _of(self, definition: _Definition, context: Context) -> Iterator[dict[str, Any]]:
        """The edits of one definition, in the lines that may change."""
        statements = statements_by_line(definition.file)
        label = printable(self._label_of(definition.file) or "")

        def first(line: int) -> int:
            return statements[line].first if line in statements else line

        def is_wanted(line: int) -> bool:
            if self._lines is None or definition.is_constant:  # which no call leads through
                return True
            return (label, first(line)) in self._lines

        text = linecache.getlines(definition.file)
        for kind, line, others, node in edits(definition.node, context, is_wanted):
            source = printable(statements[line].source) if line in statements else ""
            also = [each for each in dict.fromkeys(map(first, others)) if each != first(line)]
            row = {"label": label, "line": first(line), "source": source, "kind": kind}
            at = ("lineno", "end_lineno", "col_offset", "end_col_offset")
            part = part_of(text, *(getattr(node, each, None) for each in at))
            yield {**row, "also": also, "part": printable(part)}

    def _definitions(self, around: dict[str, Any], skip: Collection[str]) -> list[_Definition]:
        """The exercise's own definition, then those of the learner's that it works with.

        And numbers and texts beside them, which they read.
        """
        found: dict[str, _Definition] = {}
        pending = [self._exercise]
        while pending and len(found) < _MOST_DEFINITIONS:
            name = pending.pop(0)
            thing = self._own if name == self._exercise else around.get(name)
            function = _function(thing)
            if name in found:
                continue
            if function is None:
                if (constant := _constant(found, name)) is not None:
                    found[name] = constant
                continue
            code = function.__code__
            label = self._label_of(code.co_filename)
            if label is None or (name != self._exercise and (name in skip or label in skip)):
                continue
            node = _definition(parsed(code.co_filename), name)
            if node is None:
                continue
            found[name] = _Definition(node, code.co_filename, code.co_flags & _FUTURE)
            pending += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
        return list(found.values())


@dataclass
class _Definition:
    """A function, a class or a constant, with its file and the flags of its code."""

    node: Any
    file: str
    flags: int

    def __post_init__(self) -> None:
        self.counted = Counted(self.node)

    @cached_property
    def size(self) -> int:
        """How many nodes it has as it was written."""
        return sum(1 for _ in ast.walk(self.node))

    @property
    def is_constant(self) -> bool:
        """Whether it is a number, a text or several, with a name that others read."""
        return isinstance(self.node, ast.Assign)

    def compiled(self) -> CodeType:
        """Its code as it is now, which counts what it does."""
        with self.counted:
            module = ast.Module([self.node], [])
            return compile(module, self.file, "exec", self.flags, dont_inherit=True)


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


def _constant(beside: dict[str, _Definition], name: str) -> _Definition | None:
    """What gives this name its value, in the file of a definition that reads it; calls nothing."""
    for each in beside.values():
        tree = parsed(each.file)
        for node in reversed(tree.body if tree else ()):
            if isinstance(node, ast.Assign) and [*map(ast.unparse, node.targets)] == [name]:
                is_plain = all(isinstance(part, _PLAIN) for part in ast.walk(node.value))
                return _Definition(node, each.file, each.flags) if is_plain else None
    return None


_PLAIN: tuple[type[ast.AST], ...] = (
    *(ast.Constant, ast.Name, ast.expr_context, ast.Tuple, ast.List),
    *(ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator),
)


def _definition(tree: ast.Module | None, name: str) -> Any:
    kinds = (ast.FunctionDef, ast.ClassDef)
    same = [n for n in (tree.body if tree else ()) if isinstance(n, kinds) and n.name == name]
    return same[-1] if same else None
