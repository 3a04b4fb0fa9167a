"""The places of a definition at which something else could stand; changes none by itself."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Site:
    """A place in a tree, with the names that could stand there."""

    parent: ast.AST
    field: str
    index: int | None
    node: Any
    line: int
    names: tuple[str, ...]  # of the function that it stands in
    parts: tuple[str, ...]  # that its class sets on self
    idle: tuple[str, ...]  # those of them that it never reads
    is_above: bool  # the value of a whole statement, or an argument

    def put(self, node: Any) -> None:
        """Put a node into this place of the tree."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def sites(tree: ast.stmt) -> Iterator[Site]:
    """Every expression, condition and statement, but for type hints, texts and raised errors."""
    parts = _parts(tree, ast.Store)
    idle = tuple(part for part in parts if part not in _parts(tree, ast.Load))
    pending: list[tuple[ast.AST, int, tuple[str, ...]]] = [(tree, tree.lineno, ())]
    while pending:
        node, line, names = pending.pop(0)
        if isinstance(node, ast.FunctionDef):
            names = _variables(node)
        elif isinstance(node, _SCOPES):
            names = tuple(dict.fromkeys((*names, *_set_in(node))))
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "ctx") or isinstance(
                node, ast.Raise
            ):
                continue
            is_list = isinstance(value, list)
            for index, part in enumerate(value if is_list else [value]):
                if not isinstance(part, ast.AST):
                    continue
                here = part.lineno if isinstance(part, ast.stmt) else line
                above = isinstance(node, ast.Assign | ast.Return | ast.AugAssign)
                above = above or (isinstance(node, ast.Call) and field == "args")
                place = index if is_list else None
                yield Site(node, field, place, part, here, names, parts, idle, above)
                pending.append((part, here, names))


def _parts(tree: ast.stmt, context: type[ast.expr_context]) -> tuple[str, ...]:
    """The attributes that are set, or read, in it."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return tuple(dict.fromkeys(node.attr for node in nodes if isinstance(node.ctx, context)))


_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _variables(function: ast.FunctionDef) -> tuple[str, ...]:
    given = function.args
    names = [arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    for node in function.body:
        names += _set_in(node)
    return tuple(name for name in dict.fromkeys(names) if name != "self")


def _set_in(node: ast.AST) -> Iterator[str]:
    """The names that are set there, but for those of scopes within."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, (*_SCOPES, ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _set_in(part)
