"""Says what a module-level statement of a cell does to names; runs none."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..handed_in.notebook_io import Cell
from .scopes import Names, names_of, root
from .stubs import is_stub

_BLOCKS = (
    *(ast.If, ast.Try, ast.TryStar, ast.With, ast.AsyncWith),
    *(ast.For, ast.AsyncFor, ast.While, ast.Match),
)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Broken:
    """Where a definition failed to come about: its cell does not parse, or it was deleted."""

    label: str
    line: int
    message: str
    names: frozenset[str] = frozenset()  # what it would have bound

    def __str__(self) -> str:
        return f"{self.label}, line {self.line}: {self.message}"


@dataclass(frozen=True, eq=False)
class Statement:
    """One module-level statement that binds or changes names."""

    node: ast.stmt
    cell: Cell
    lines: list[str]  # of the whole cell, without magics
    names: Names
    always: frozenset[str]  # of `names.binds`: those bound whichever way the block goes

    @property
    def changes(self) -> set[str]:
        """Names whose objects it changes: `config["x"] = 3`, `LayerNorm.forward = forward`."""
        return self.names.changed | self.names.in_place

    @cached_property
    def touches(self) -> set[str]:
        """Names whose objects it may change, directly or through what it calls."""
        decorators = self.node.decorator_list if isinstance(self.node, _DEFINITIONS) else []
        nodes = (node for decorator in decorators for node in ast.walk(decorator))
        named = {node.id for node in nodes if isinstance(node, ast.Name)}
        names = self.names
        return self.changes | names.called_on | names.global_stores | named

    @cached_property
    def borrows(self) -> Mapping[str, tuple[str, str]]:
        """For `from module import name as bound`: bound → (module, name).

        A block counts as well (`try: … except ImportError: …`) if nothing else is bound there.
        """
        nodes = ast.walk(self.node) if isinstance(self.node, _BLOCKS) else [self.node]
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for node in nodes:
            if isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                for alias in node.names:
                    if alias.name != "*":
                        found[alias.asname or alias.name].add((module, alias.name))
        known = {bound: next(iter(ways)) for bound, ways in found.items() if len(ways) == 1}
        return known if self.is_import or known.keys() == self.names.binds else {}

    @property
    def checks(self) -> str | None:
        """The exercise that `check(...)` is called with here."""
        call = self.node.value if isinstance(self.node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not call.args:
            return None
        called, given = call.func, call.args[0]
        name = called.attr if isinstance(called, ast.Attribute) else root(called)
        return given.id if name == "check" and isinstance(given, ast.Name) else None

    @property
    def is_import(self) -> bool:
        """Whether it imports something."""
        return isinstance(self.node, ast.Import | ast.ImportFrom)

    @property
    def submodules_of(self) -> set[str]:
        """`import torch.nn` binds torch and loads more of it."""
        if not isinstance(self.node, ast.Import):
            return set()
        plain = [alias.name for alias in self.node.names if alias.asname is None]
        return {name.partition(".")[0] for name in plain if "." in name}

    @property
    def star_of(self) -> str | None:
        """The module of `from module import *`."""
        if isinstance(self.node, ast.ImportFrom) and self.node.names[0].name == "*":
            return self.node.module or "."
        return None

    @property
    def names_of_lent(self) -> set[str]:
        """What an import from `kit.earlier`, or of it, binds."""
        if not isinstance(self.node, ast.Import | ast.ImportFrom):
            return set()
        module = getattr(self.node, "module", None) or ""
        full = {alias.asname or alias.name: f"{module}.{alias.name}" for alias in self.node.names}
        return {name.partition(".")[0] for name, path in full.items() if "kit.earlier" in path}

    def is_alias_of(self, names: set[str]) -> bool:
        """Whether it does nothing but give other names to some of these, or to parts of them."""
        value = self.node.value if isinstance(self.node, ast.Assign | ast.AnnAssign) else None
        if value is None or not isinstance(value, ast.Name | ast.Attribute | ast.Tuple | ast.Call):
            return False
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        roots = {_source_of(part) for part in parts}
        return None not in roots and roots <= names

    @property
    def is_future(self) -> bool:
        """Whether it switches the language's own behaviour: `from __future__ import …`."""
        return isinstance(self.node, ast.ImportFrom) and self.node.module == "__future__"

    @property
    def may_call(self) -> bool:
        """Whether executing it may call what it reads; a plain import or definition does not."""
        if self.is_import:
            return False
        if isinstance(self.node, ast.Assign):
            return not isinstance(self.node.value, ast.Name | ast.Constant | ast.Lambda)
        if isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside = ast.walk(self.node.args)
            return bool(self.node.decorator_list) or any(isinstance(n, ast.Call) for n in inside)
        return True

    @property
    def is_stub(self) -> bool:
        """Whether it defines what is still to be written."""
        return is_stub(self.node)

    @cached_property
    def line(self) -> int:
        """The first line of `code`, in the cell."""
        return first_line(self.node) - _is_in_block(self.node, self.lines)

    @cached_property
    def code(self) -> str:
        """The statement as the learner wrote it, decorators included."""
        return source_of(self.node, self.lines)


def bound_always(node: ast.stmt, names: Names | None = None) -> set[str]:
    """The names that a statement binds whichever way its blocks go."""
    if isinstance(node, ast.If):
        return _always_in(node.body) & _always_in(node.orelse)
    if isinstance(node, ast.With | ast.AsyncWith):
        targets = (item.optional_vars for item in node.items if item.optional_vars)
        nodes = (inner for target in targets for inner in ast.walk(target))
        return {n.id for n in nodes if isinstance(n, ast.Name)} | _always_in(node.body)
    if isinstance(node, ast.Try | ast.TryStar):
        bound = _always_in([*node.body, *node.orelse])
        for handler in node.handlers:
            if not isinstance(handler.body[-1], ast.Raise):
                bound &= _always_in(handler.body)
        return bound | _always_in(node.finalbody)
    if isinstance(node, (*_BLOCKS, ast.Delete)):
        return set()
    return (names or names_of(node)).binds


def _always_in(nodes: Iterable[ast.stmt]) -> set[str]:
    return {name for node in nodes for name in bound_always(node)}


def _source_of(value: ast.expr) -> str | None:
    """The name from which `a`, `a.b` or `getattr(a, "b")` is taken."""
    if isinstance(value, ast.Call):
        return root(value.args[0]) if root(value.func) == "getattr" and value.args else None
    return root(value) if isinstance(value, ast.Name | ast.Attribute) else None


def source_of(node: ast.stmt, lines: list[str]) -> str:
    """A statement as it stands in these lines of its cell, decorators included."""
    first, last = first_line(node), node.end_lineno or node.lineno
    own = lines[first - 1 : last]
    own[-1] = _cut(own[-1], 0, node.end_col_offset)
    if _is_in_block(node, lines):  # one that is left out; its lines keep their indentation
        return "\n".join(["if True:", *own])
    if first == node.lineno:  # else it begins with a decorator's @
        own[0] = _cut(own[0], node.col_offset, None)
    return "\n".join(own)


def _is_in_block(node: ast.stmt, lines: list[str]) -> bool:
    # A form feed begins the line anew.
    before = _cut(lines[first_line(node) - 1], 0, node.col_offset).rpartition("\f")[2]
    return bool(before) and not before.strip()


def first_line(node: ast.stmt) -> int:
    """The line on which a statement begins, its decorators included."""
    decorators = node.decorator_list if isinstance(node, _DEFINITIONS) else []
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _cut(line: str, start: int, end: int | None) -> str:
    """Part of a line by the offsets of `ast`, which count bytes."""
    return line[start:end] if line.isascii() else line.encode()[start:end].decode()
