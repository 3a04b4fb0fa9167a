"""Small changes to somebody's definitions, each a slip turned back; judges none."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, zip_longest
from typing import Any

from .edit_numbers import numbers, row_numbers, tolerances
from .edit_sites import Site, sites
from .insertions import Context, axes, calls, joined, minus, missing, plus, spaces, uncalled

MAX_EDITS = 3_000
_LONG_TEXT = 40
_MOST_NAMES, _MOST_TEXTS = 16, 16  # others that one name, or text, is exchanged for
KINDS = (
    *("default", "comparison", "condition", "number", "bound", "jump", "name", "operator"),
    *("function", "argument", "text", "superfluous", "missing"),
)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_OPPOSITES = {ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
_FAMILIES = tuple(
    frozenset(group.split())
    for group in (
        "mean sum prod amax amin max min median norm",
        "softmax log_softmax sigmoid tanh relu gelu silu",
        "argmax argmin",
        "sin cos tan",
        "tril triu",
        "sqrt rsqrt square abs",
        "exp exp2 expm1 log log2 log1p logsumexp",
        "zeros ones empty",
        "zeros_like ones_like empty_like",
        "unsqueeze squeeze",
        "float double long int bool half",
        "float32 float64 int64 int32 bool",
        "append extend insert",
        "stack cat",
        "transpose reshape permute flatten unflatten view swapaxes",
        "any all",
        "train eval",
        "lower upper casefold",
        "removeprefix removesuffix strip lstrip rstrip",
        "startswith endswith",
        "items keys values",
        "clone detach",
        "backward detach",
        "erf tanh",
        "NFD NFC NFKD NFKC",
        "Mn Mc Me",
    )
)
_Operator = Callable[[Site, Context], Iterator[Any]]
NOTHING = Context()


def edits(
    tree: ast.stmt, context: Context = NOTHING, wanted: Callable[[int], bool] | None = None
) -> Iterator[tuple[str, int]]:
    """Change a definition, one edit after the other: what kind it is, and in which line.

    The tree is changed for as long as the generator waits, and as before afterwards. `wanted` says
    whether a line is to be changed.
    """
    places = [site for site in sites(tree) if wanted is None or wanted(site.line)]
    constants = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    own = (each for each in constants if type(each) is str and len(each) < _LONG_TEXT)
    numbers_here = tuple(dict.fromkeys(each for each in constants if type(each) is int))
    texts = tuple(dict.fromkeys((*context.texts, *own)))
    functions = {**context.functions, **_within(tree)}
    context = replace(context, texts=texts, numbers=numbers_here, functions=functions)
    count = 0
    for group, kind, operator in _OPERATORS:
        wanted_here = places if context.group in ("", group) else []
        made = [_changes(site, operator, context) for site in wanted_here]
        for site, node in _in_turns(made) if operator is row_numbers else chain(*made):
            count += 1
            if count > MAX_EDITS:
                return
            site.put(ast.fix_missing_locations(ast.copy_location(node, site.node)))
            try:
                yield kind, site.line
            finally:
                site.put(site.node)


_Change = tuple[Site, Any]


def _changes(site: Site, operator: _Operator, context: Context) -> Iterator[_Change]:
    return ((site, node) for node in operator(site, context))


def _in_turns(made: list[Iterator[_Change]]) -> Iterator[_Change]:
    """One at each place, so that no long row of numbers comes before all others."""
    return (change for row in zip_longest(*made) for change in row if change is not None)


def _within(tree: ast.stmt) -> dict[str, tuple[str, ...]]:
    """The functions that a function defines for itself, with what they need."""
    inner = ast.walk(tree) if isinstance(tree, ast.FunctionDef) else ()
    return {
        node.name: tuple(arg.arg for arg in node.args.args)
        for node in inner
        if isinstance(node, ast.FunctionDef) and node is not tree and node.args.args
    }


def _defaults(site: Site, context: Context) -> Iterator[Any]:
    """What a parameter is where nothing is given for it."""
    if site.field not in ("defaults", "kw_defaults") or not isinstance(site.node, ast.expr):
        return
    given, index = site.parent, site.index
    assert isinstance(given, ast.arguments) and index is not None
    named = [*given.posonlyargs, *given.args][-len(given.defaults) :]
    name = (named if site.field == "defaults" else given.kwonlyargs)[index].arg
    if name not in context.defaults:
        return
    default = ast.parse(repr(context.defaults[name]), mode="eval").body
    if ast.dump(default) != ast.dump(site.node):
        yield default


def _comparisons(site: Site, _: Context) -> Iterator[Any]:
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


def _bounds(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper", "step"):
            bound = getattr(node, name)
            others: list[ast.expr | None] = [None]
            if bound is not None:
                others = [None, plus(bound), minus(bound)]
            elif name != "step":
                names = [ast.Name(other, ast.Load()) for other in site.names[:_MOST_NAMES]]
                others = [ast.Constant(1), ast.Constant(-1), *names]
            for other in others:
                changed = copy.copy(node)
                setattr(changed, name, other)
                yield changed
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        for index, argument in enumerate(node.args):
            for other in (plus(argument), minus(argument)):
                args = [*node.args[:index], other, *node.args[index + 1 :]]
                yield ast.Call(node.func, args, node.keywords)
    elif isinstance(site.parent, ast.BinOp) and _is_length(node):
        yield from (plus(node), minus(node))
    elif isinstance(site.parent, ast.Compare) and isinstance(site.parent.ops[0], _ORDERS):
        if not isinstance(node, ast.Constant | ast.cmpop):
            yield from (plus(node), minus(node))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for index, part in enumerate(node.slice.elts):
            if isinstance(part, ast.Name | ast.BinOp):
                for other in (plus(part), minus(part)):
                    parts = [*node.slice.elts[:index], other, *node.slice.elts[index + 1 :]]
                    yield ast.Subscript(node.value, ast.Tuple(parts, ast.Load()), node.ctx)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
            for other in (plus(node.slice), minus(node.slice)):
                yield ast.Subscript(node.value, other, node.ctx)


def _is_length(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "len"


def _jumps(site: Site, _: Context) -> Iterator[Any]:
    if isinstance(site.node, ast.Break):
        yield from (ast.Continue(), ast.Pass())
    elif isinstance(site.node, ast.Continue):
        yield from (ast.Break(), ast.Pass())
    elif isinstance(site.node, ast.Pass):
        yield from (ast.Continue(), ast.Break())


def _names(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in site.names:
            for name in [other for other in site.names if other != node.id][:_MOST_NAMES]:
                yield ast.Name(name, node.ctx)
    elif _of_self(node) and isinstance(node.ctx, ast.Load) and node.attr in site.parts:
        for part in [other for other in site.parts if other != node.attr][:_MOST_NAMES]:
            yield ast.Attribute(node.value, part, node.ctx)


def _arithmetic(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.BinOp):
        family = _ARITHMETIC if isinstance(node.op, _ARITHMETIC) else _BITS
        for other in family:
            if isinstance(node.op, family) and not isinstance(node.op, other):
                yield ast.BinOp(node.left, other(), node.right)
        yield ast.BinOp(node.right, node.op, node.left)
    elif isinstance(node, ast.AugAssign):
        for other in _ARITHMETIC[:4]:
            if not isinstance(node.op, other):
                yield ast.AugAssign(node.target, other(), node.value)
        yield ast.Assign([node.target], node.value)


def _functions(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        name = node.attr
        for other in _kin(name):
            yield ast.Attribute(node.value, other, node.ctx)
        if name.endswith("_") and not name.endswith("__"):
            yield ast.Attribute(node.value, name.rstrip("_"), node.ctx)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in _kin(node.id):
            yield ast.Name(other, node.ctx)


def _kin(name: str) -> list[str]:
    return sorted({other for group in _FAMILIES if name in group for other in group} - {name})


def _arguments(site: Site, _: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) < 5:
        for elements in _exchanged(node.elts):
            yield ast.Tuple(elements, node.ctx)
    if not isinstance(node, ast.Call):
        return
    for args in _exchanged(node.args):
        yield ast.Call(node.func, args, node.keywords)
    for index in range(len(node.keywords)):
        rest = node.keywords[:index] + node.keywords[index + 1 :]
        yield ast.Call(node.func, node.args, rest)
    if node.args:
        yield ast.Call(node.func, node.args[:-1], node.keywords)


def _exchanged(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Two of them in each other's place."""
    for one in range(len(parts)):
        for other in range(one + 1, len(parts)):
            found = list(parts)
            found[one], found[other] = found[other], found[one]
            yield found


def _other_texts(site: Site, context: Context) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Constant) and type(node.value) is str:
        if isinstance(site.parent, ast.Expr):
            return
        for other in (*_kin(node.value), *context.texts[:_MOST_TEXTS], "", " "):
            if other != node.value:
                yield ast.Constant(other)


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
    elif isinstance(node, ast.With) and len(node.body) == 1:
        yield node.body[0]


_OPERATORS: tuple[tuple[str, str, _Operator], ...] = (
    ("first", "default", _defaults),
    ("first", "comparison", _comparisons),
    ("first", "comparison", tolerances),
    ("first", "condition", _conditions),
    ("first", "number", numbers),
    ("first", "bound", _bounds),
    ("first", "jump", _jumps),
    ("first", "superfluous", _superfluous),
    ("first", "number", row_numbers),
    ("then", "operator", _arithmetic),
    ("then", "function", _functions),
    ("then", "argument", _arguments),
    ("then", "name", _names),
    ("then", "text", _other_texts),
    ("then", "text", spaces),
    ("last", "missing", calls),
    ("last", "missing", uncalled),
    ("last", "argument", axes),
    ("last", "missing", missing),
    ("last", "missing", joined),
)
GROUPS = ("first", "then", "last")  # in a definition and all that it calls, before the next


def _of_self(node: Any) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )
