"""Changes that put a statement, or a step, elsewhere: out of a loop, past its neighbour.

It judges none.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from .edit_sites import Site
from .insertions import Context

_BLOCKS = (ast.For, ast.While, ast.If, ast.With)
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)
_Change = tuple[tuple[Site, Any], ...]


def moves(places: Sequence[Site]) -> Iterator[_Change]:
    """Statements in another place, by one step: the line that is told is that of what moves."""
    statements = {id(site.node): site for site in places if isinstance(site.node, ast.stmt)}
    for site in statements.values():
        yield from _out_of(site, statements)
    for site in statements.values():
        if (behind := _next(site, statements)) is None or not isinstance(behind.node, _SIMPLE):
            continue
        if isinstance(site.node, ast.For | ast.While):
            last = statements.get(id(site.node.body[-1]))
            if last is not None:
                both = _together(last.node, behind.node)
                yield (behind, ast.Pass()), (replace(last, line=behind.line), both)
        elif isinstance(site.node, _SIMPLE):
            yield (site, copy.copy(behind.node)), (behind, copy.copy(site.node))


def steps(site: Site, _: Context) -> Iterator[Any]:
    """Two steps, of which one works on what the other gives, in each other's place."""
    outer = site.node
    if not isinstance(outer, ast.Call):
        return
    inner = _given(outer)
    value = None if inner is None else _given(inner)
    if inner is not None and value is not None and ast.dump(outer.func) != ast.dump(inner.func):
        yield _applied(inner, _applied(outer, value))


def _given(call: ast.expr) -> Any:
    """What a step works on: of a method its object, of a function its only argument."""
    if not isinstance(call, ast.Call):
        return None
    if _is_method(call):
        return call.func.value  # type: ignore[attr-defined]
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


def _is_method(call: ast.Call) -> bool:
    """Whether it is one of a value's, and no part of an object or of a module."""
    owner = getattr(call.func, "value", None)
    is_name = isinstance(owner, ast.Name) and not call.args
    return is_name or isinstance(owner, ast.Call | ast.BinOp | ast.Subscript)


def _applied(call: ast.Call, value: ast.expr) -> ast.Call:
    if _is_method(call):
        function = copy.copy(call.func)
        function.value = value  # type: ignore[attr-defined]
        return ast.Call(function, call.args, call.keywords)
    return ast.Call(call.func, [value], [])


def _out_of(site: Site, statements: dict[int, Site]) -> Iterator[_Change]:
    """What ends a block, or a loop's turn, behind it."""
    block = statements.get(id(site.parent))
    is_last = block is not None and site.field == "body" and site.node is block.node.body[-1]
    may_move = isinstance(site.node, (*_SIMPLE, ast.Return)) and is_last
    if block is not None and may_move and isinstance(block.node, _BLOCKS):
        yield _behind(site, block)
    if isinstance(site.node, ast.Return):
        outer = block
        while outer is not None and not isinstance(outer.node, ast.For | ast.While):
            outer = statements.get(id(outer.parent))
        if outer is not None and (outer is not block or not is_last):
            yield _behind(site, outer)


def _behind(site: Site, block: Site) -> _Change:
    both = _together(block.node, copy.copy(site.node))
    return (site, ast.Pass()), (replace(block, line=site.line), both)


def _next(site: Site, statements: dict[int, Site]) -> Site | None:
    """The statement behind it in the same body."""
    if site.index is None:
        return None
    row = getattr(site.parent, site.field)
    return statements.get(id(row[site.index + 1])) if site.index + 1 < len(row) else None


def _together(*parts: ast.stmt) -> ast.If:
    """Both in one statement, as lists of statements are to stay as they are."""
    return ast.If(ast.Constant(True), list(parts), [])
