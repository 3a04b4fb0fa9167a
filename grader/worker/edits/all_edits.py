"""Small changes to somebody's definitions, each a slip turned back; judges none."""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice
from typing import Any

from .number_edits import numbers, sizes
from .replacements import bounds, functions, names, squeezed
from .sites import Site, sites, twins

Change = tuple[tuple[Site, Any], ...]  # at one place, or at several that are alike
MAX_EDITS = 3_000
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_OPPOSITES = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_ARITHMETIC: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add, ast.Pow),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
}
_Operator = Callable[[Site], Iterator[Any]]


def edits(
    tree: ast.stmt, group: str, fields: Sequence[str], wanted: Callable[[int], bool]
) -> Iterator[tuple[str, int, tuple[int, ...], ast.AST]]:
    """Change a definition, one edit after the other: its kind, its line, where too, the old part.

    The tree is changed for as long as the generator waits, and as before afterwards. `group`: of
    GROUPS; `fields`: sizes of a config; `wanted` says whether a line is to be changed.
    """
    places = [site for site in sites(tree) if wanted(site.line)]
    for kind, change in islice(_changes(places, group, fields), MAX_EDITS):
        for site, node in change:
            site.put(ast.fix_missing_locations(ast.copy_location(node, site.node)))
        line, *others = dict.fromkeys(site.line for site, _ in change)
        try:
            yield kind, line, tuple(others), _changed(change[0][0])
        finally:
            for site, _ in change:
                site.put(site.node)


def _changed(site: Site) -> ast.AST:
    """What an edit replaces; an operator has no place of its own."""
    return site.node if hasattr(site.node, "lineno") else site.parent


def _changes(places: list[Site], group: str, fields: Sequence[str]) -> Iterator[tuple[str, Change]]:
    alike = twins(places) if group == TWINS else []
    for own, kind, operator in _OPERATORS:
        make = partial(operator, fields=fields) if operator is sizes else operator
        if own == group:
            yield from ((kind, change) for site in places for change in _at(site, make))
        if operator in _ALIKE:
            for some in alike:
                made = [_at(site, make) for site in some]
                yield from ((kind, tuple(chain(*row))) for row in zip(*made, strict=False))


def _at(site: Site, operator: _Operator) -> Iterator[Change]:
    return (((site, node),) for node in operator(site))


def _comparisons(site: Site) -> Iterator[Any]:
    node = site.node
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    kind = type(node.ops[0])
    if kind in _ORDERS:
        for other in _ORDERS:
            if other is not kind:
                yield ast.Compare(node.left, [other()], node.comparators)
    elif kind in _OPPOSITES:
        yield ast.Compare(node.left, [_OPPOSITES[kind]()], node.comparators)


def _conditions(site: Site) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand
    elif site.field in ("test", "ifs"):
        yield ast.UnaryOp(ast.Not(), node)
    if site.field in ("test", "ifs"):
        yield from (ast.Constant(True), ast.Constant(False))
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        if len(node.values) == 2:
            yield from node.values


def _arithmetic(site: Site) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)


def _arguments(site: Site) -> Iterator[Any]:
    """Two arguments of a call in each other's place."""
    node = site.node
    for pair in combinations(range(len(node.args)), 2) if isinstance(node, ast.Call) else ():
        args = list(node.args)
        for here, there in (pair, pair[::-1]):
            args[here] = node.args[there]
        yield ast.Call(node.func, args, node.keywords)


def _superfluous(site: Site) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            yield node.func.value
        yield from node.args[:2]
    elif isinstance(node, ast.BinOp):
        yield from (node.left, node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield node.operand
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Assign | ast.If | ast.Raise):
        if site.field in ("body", "orelse"):
            yield ast.Pass()
    elif isinstance(node, ast.Return) and node is not getattr(site.parent, "body", [node])[-1]:
        yield ast.Pass()


_OPERATORS: tuple[tuple[str, str, Callable[..., Iterator[Any]]], ...] = (
    ("at once", "size", sizes),
    ("first", "comparison", _comparisons),
    ("first", "condition", _conditions),
    ("first", "number", numbers),
    ("first", "bound", bounds),
    ("first", "argument", squeezed),
    ("first", "superfluous", _superfluous),
    ("then", "operator", _arithmetic),
    ("then", "function", functions),
    ("then", "argument", _arguments),
    ("then", "name", names),
)
KINDS = tuple(dict.fromkeys(kind for _, kind, _ in _OPERATORS))
# A slip that was copied is turned back wherever it stands.
_ALIKE = (sizes, _comparisons, numbers, bounds, _superfluous, functions, _arguments)
TWINS = "twins"
GROUPS = ("at once", "first", "then", TWINS)
