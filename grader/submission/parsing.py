"""Parses cells into module-level statements; runs none of them."""

import ast
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeGuard

from ..handed_in.notebook_io import Cell
from .magics import plain_python
from .scopes import names_of
from .statements import Broken, Statement, bound_always

_PYTHON = f"Python {sys.version_info.major}.{sys.version_info.minor}"  # a newer one may read it
# What a cell that does not parse would probably have bound.
_WOULD_BIND = re.compile(
    r"^[ \t]*(?:(?:async[ \t]+)?def[ \t]+(\w+)|class[ \t]+(\w+)|(\w+)[ \t]*(?::[^=\n]{1,80})?=(?!=)"
    r"|(?:from[ \t]+[\w.]+[ \t]+)?import[ \t]+\(?([\w., \t]+))",
    re.MULTILINE,
)
# How Jupyter, VS Code and Spyder mark cells in a script.
_CELL_MARK = re.compile(r"^# (?:%%|In ?\[)", re.MULTILINE)
_MAX_PARTS = 200
_MAX_PADDING = 1_000_000  # empty lines before all parts; 200 parts of 7,000 lines have 700,000
# Raised for nesting that no cell has (MemoryError is what Python's parser calls it).
_TOO_DEEP = (RecursionError, MemoryError)


@dataclass(frozen=True)
class Parsed:
    """A cell's statements, or why it has none."""

    statements: tuple[Statement, ...]
    broken: Broken | None = None


def parse_cell(cell: Cell, lazy_annotations: bool = False) -> Parsed:
    """The statements of a cell that could matter to an exercise, in order."""
    source = cell.source
    try:
        try:
            tree = _parse(source)
        except SyntaxError:
            source = plain_python(source)
            tree = _parse(source)
        lines = source.split("\n")
        return Parsed(tuple(_statements(tree.body, cell, lines, lazy_annotations)))
    except SyntaxError as error:
        message = f"{_PYTHON} cannot read this: {error.msg}"
        line = min(max(error.lineno or 1, 1), source.count("\n") + 1)
    except ValueError as error:
        message, line = f"{_PYTHON} cannot read this: {error}", 1
    except _TOO_DEEP:
        message, line = "this is nested too deeply to be read", 1
    return Parsed((), Broken(cell.label, line, message, _would_bind(source)))


def parts_of(cell: Cell) -> list[Cell]:
    """The cells of a notebook that was saved as a script, if the script as a whole is broken.

    Each is padded with empty lines, so that every line keeps its number.
    """
    starts = [match.start() for match in _CELL_MARK.finditer(cell.source)]
    if not cell.notebook.endswith(".py") or not 0 < len(starts) <= _MAX_PARTS:
        return [cell]
    if parse_cell(cell).broken is None:
        return [cell]
    starts = [0, *starts] if starts[0] else starts
    ends = [*starts[1:], len(cell.source)]
    lines = [cell.source.count("\n", 0, start) for start in starts]
    if sum(lines) > _MAX_PADDING:
        return [cell]
    sources = ["\n" * n + cell.source[a:b] for n, a, b in zip(lines, starts, ends, strict=True)]
    return [Cell(source, cell.label, cell.notebook, cell.index) for source in sources]


def parsed(source: str) -> ast.Module | None:
    """The syntax tree; None for what does not parse."""
    try:
        return _parse(source)
    except (SyntaxError, ValueError, *_TOO_DEEP):
        return None


def _parse(source: str) -> ast.Module:
    with warnings.catch_warnings():  # "\d" in a string is the learner's own affair
        warnings.simplefilter("ignore")
        return ast.parse(source)


def _statements(
    nodes: Iterable[ast.stmt], cell: Cell, lines: list[str], lazy: bool
) -> Iterator[Statement]:
    for node in nodes:
        if _is_main_block(node):
            # As in a notebook, where __name__ is "__main__"; but only what is needed of it.
            yield from _statements(node.body, cell, lines, lazy)
            continue
        if _is_marimo_cell(node):
            inner = [each for each in node.body if not isinstance(each, ast.Return)]
            yield from _statements(inner, cell, lines, lazy)
            continue
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            lazy = lazy or any(alias.name == "annotations" for alias in node.names)
        names = names_of(node, lazy)
        statement = Statement(node, cell, lines, names, frozenset(bound_always(node, names)))
        if names.binds or statement.touches or statement.star_of or statement.checks:
            yield statement


def _is_main_block(node: ast.stmt) -> TypeGuard[ast.If]:
    if not (isinstance(node, ast.If) and not node.orelse and isinstance(node.test, ast.Compare)):
        return False
    sides = [node.test.left, *node.test.comparators]
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    main = any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)
    return named and main and isinstance(node.test.ops[0], ast.Eq)


def _is_marimo_cell(node: ast.stmt) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    """A cell of a marimo notebook: what it defines is there for all other cells."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.decorator_list:
        return False
    first = node.decorator_list[0]
    made = first.func if isinstance(first, ast.Call) else first
    return isinstance(made, ast.Attribute) and ast.unparse(made) == "app.cell"


def _would_bind(source: str) -> frozenset[str]:
    found: set[str] = set()
    for defined, classed, assigned, imported in _WOULD_BIND.findall(source):
        found.update(filter(None, (defined, classed, assigned)))
        for part in imported.split(","):
            found.update(part.split()[-1:])
    return frozenset(found)
