"""Small changes to somebody's definitions, each a slip turned back; judges none."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest
from typing import Any

from .idioms import (
    as_index,
    brackets,
    by_length,
    divided,
    kinds_of_numbers,
    missing,
    operands,
    turned,
)
from .number_edits import ORDERS, bounds, numbers, row_numbers, sizes, turns
from .replacements import (
    Change,
    Context,
    arguments,
    copies,
    functions,
    names,
    other_texts,
    squeezed,
    steps,
)
from .sites import Site, notes, sites, twins

MAX_EDITS = 3_000
_LONG_TEXT = 40
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
_Operator = Callable[[Site, Context], Iterator[Any]]


def edits(
    tree: ast.stmt, context: Context, wanted: Callable[[int], bool]
) -> Iterator[tuple[str, int, tuple[int, ...], ast.AST]]:
    """Change a definition, one edit after the other: its kind, its line, where too, the old part.

    The tree is changed for as long as the generator waits, and as before afterwards. `wanted` says
    whether a line is to be changed.
    """
    idle = notes(tree)
    places = [site for site in sites(tree, idle) if wanted(site.line)]
    nodes = (node for node in ast.walk(tree) if node not in idle)
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    own = (each for each in constants if type(each) is str and len(each) < _LONG_TEXT)
    numbers_here = tuple(dict.fromkeys(each for each in constants if type(each) is int))
    texts = tuple(dict.fromkeys((*context.texts, *own)))
    context = replace(context, texts=texts, numbers=numbers_here)
    for kind, change in islice(_changes(places, context), MAX_EDITS):
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


def _changes(places: list[Site], context: Context) -> Iterator[tuple[str, Change]]:
    for group, kind, operator in _OPERATORS:
        if context.group == group:
            made = [_at(site, operator, context) for site in places]
            changes = _in_turns(made) if operator is row_numbers else chain(*made)
            yield from ((kind, change) for change in changes)
    if context.group == TWINS:
        groups = twins(places)
        for _, kind, operator in _OPERATORS:
            if operator in _ALIKE:
                for alike in groups:
                    made = [_at(site, operator, context) for site in alike]
                    yield from ((kind, tuple(chain(*row))) for row in zip(*made, strict=False))


def _at(site: Site, operator: _Operator, context: Context) -> Iterator[Change]:
    return (((site, node),) for node in operator(site, context))


def _in_turns(made: list[Iterator[Change]]) -> Iterator[Change]:
    """One at each place, so that no long row of numbers comes before all others."""
    return (change for row in zip_longest(*made) for change in row if change is not None)


def _comparisons(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    kind = type(node.ops[0])
    if kind in ORDERS:
        for other in ORDERS:
            if other is not kind:
                yield ast.Compare(node.left, [other()], node.comparators)
    elif kind in _OPPOSITES:
        yield ast.Compare(node.left, [_OPPOSITES[kind]()], node.comparators)


def _conditions(site: Site, _: Context) -> Iterator[Any]:
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


def _arithmetic(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.BinOp):
        for other in _ARITHMETIC.get(type(node.op), ()):
            yield ast.BinOp(node.left, other(), node.right)
        if not isinstance(node.op, ast.Add | ast.Mult):
            yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()


def _in_place(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        before = ast.Name(node.target.id, ast.Load())
        yield ast.Assign([node.target], ast.BinOp(before, node.op, node.value))


def _superfluous(site: Site, _: Context) -> Iterator[Any]:
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
    elif isinstance(node, ast.With):
        yield ast.If(ast.Constant(True), node.body, [])  # one statement in its place


_OPERATORS: tuple[tuple[str, str, _Operator], ...] = (
    ("at once", "size", sizes),
    ("first", "comparison", _comparisons),
    ("first", "condition", _conditions),
    ("first", "size", turns),
    ("first", "number", numbers),
    ("first", "bound", bounds),
    ("first", "place", steps),
    ("first", "missing", copies),
    ("first", "argument", squeezed),
    ("first", "argument", by_length),
    ("first", "missing", as_index),
    ("first", "superfluous", _superfluous),
    ("first", "number", row_numbers),
    ("then", "operator", _arithmetic),
    ("then", "operator", brackets),
    ("then", "operator", divided),
    ("then", "in place", _in_place),
    ("then", "function", functions),
    ("then", "argument", kinds_of_numbers),
    ("then", "argument", arguments),
    ("then", "missing", turned),
    ("then", "name", names),
    ("then", "text", other_texts),
    ("last", "missing", missing),
    ("last", "missing", operands),
)
KINDS = tuple(dict.fromkeys(kind for _, kind, _ in _OPERATORS))
# A slip that was copied is turned back wherever it stands.
_ALIKE = (sizes, _comparisons, numbers, row_numbers, bounds, _superfluous, functions, arguments)
TWINS = "twins"
GROUPS = ("at once", "first", "then", TWINS, "last")
