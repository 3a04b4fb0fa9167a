"""Small changes to somebody's definitions, each a slip turned back; judges none."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from itertools import chain, zip_longest
from typing import Any

from .edit_sites import Site, sites

MAX_EDITS = 3_000
_MOST_NAMES = 16  # others that one name is exchanged for
_MOST_CONSTANTS = 12
_LARGEST = 64  # of numbers that may be sizes
KINDS = (
    *("comparison", "condition", "number", "bound", "jump", "name", "operator", "function"),
    *("argument", "text", "superfluous", "missing"),
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
_METHODS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *(("float", ()), ("long", ()), ("bool", ()), ("clone", ()), ("detach", ()), ("item", ())),
    *(("unsqueeze", (0,)), ("unsqueeze", (1,)), ("unsqueeze", (-1,)), ("squeeze", (0,))),
    *(("unsqueeze", (2,)), ("unsqueeze", (-2,)), ("unsqueeze", (-3,))),
    *(("squeeze", (-1,)), ("transpose", (-2, -1)), ("transpose", (1, 2)), ("argmax", (-1,))),
    *(("sum", (-1,)), ("mean", (-1,)), ("split", ()), ("copy", ())),
)
_FUNCTIONS = ("list", "len", "int", "set", "tuple", "all")


_Operator = Callable[[Site, tuple[Any, ...]], Iterator[Any]]


def edits(tree: ast.stmt) -> Iterator[tuple[str, int]]:
    """Change a definition, one edit after the other: what kind it is, and in which line.

    The tree is changed for as long as the generator waits, and as before afterwards.
    """
    places = list(sites(tree))
    constants = tuple(dict.fromkeys(_constants(tree)))
    count = 0
    for kind, operator in _OPERATORS:
        made = [_changes(site, operator, constants) for site in places]
        for site, node in _in_turns(made) if operator is _data else chain(*made):
            count += 1
            if count > MAX_EDITS:
                return
            site.put(ast.fix_missing_locations(ast.copy_location(node, site.node)))
            try:
                yield kind, site.line
            finally:
                site.put(site.node)


_Change = tuple[Site, Any]


def _changes(site: Site, operator: _Operator, constants: tuple[Any, ...]) -> Iterator[_Change]:
    return ((site, node) for node in operator(site, constants))


def _in_turns(made: list[Iterator[_Change]]) -> Iterator[_Change]:
    """One at each place, so that no long row of numbers comes before all others."""
    return (change for row in zip_longest(*made) for change in row if change is not None)


def _constants(tree: ast.AST) -> Iterator[Any]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and not (
            type(node.value) is str and len(node.value) > 39
        ):
            yield node.value


def _comparisons(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Call):
        yield from _tolerances(node)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    kind = type(node.ops[0])
    if kind in _ORDERS:
        for other in _ORDERS:
            if other is not kind:
                yield ast.Compare(node.left, [other()], node.comparators)
    elif kind in _OPPOSITES:
        yield ast.Compare(node.left, [_OPPOSITES[kind]()], node.comparators)


def _tolerances(node: Any) -> Iterator[Any]:
    function = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if function in ("allclose", "isclose", "assert_close"):
        others = [each for each in node.keywords if each.arg != "atol"]
        if any(not isinstance(each.value, ast.Constant) for each in node.keywords):
            return  # it is set somewhere else
        for room in (1e-4, 1e-2):
            keywords = [*others, ast.keyword("atol", ast.Constant(room))]
            yield ast.Call(node.func, node.args[:3], keywords)


def _conditions(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
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


def _numbers(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    return iter(()) if _is_data(site) else _other_numbers(site)


def _data(site: Site, constants: tuple[Any, ...]) -> Iterator[Any]:
    """Numbers of those that stand in a row, and a size for another one that stands elsewhere."""
    if _is_data(site):
        yield from _other_numbers(site)
    value = getattr(site.node, "value", None)
    if type(value) is int and (site.is_above or _is_data(site)):
        sizes = [each for each in constants if type(each) is int and 3 < each <= _LARGEST]
        yield from (ast.Constant(each) for each in sizes[:_MOST_CONSTANTS] if each != value)


def _is_data(site: Site) -> bool:
    """Whether it is one of several things that stand in a row."""
    parent = site.parent
    return isinstance(parent, ast.List | ast.Tuple) and len(parent.elts) > 1


def _other_numbers(site: Site) -> Iterator[Any]:
    node = site.node
    if isinstance(site.parent, ast.UnaryOp) and isinstance(site.parent.op, ast.USub):
        return  # seen with its sign
    negative = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if negative else node
    if not isinstance(inner, ast.Constant):
        return
    value: Any = inner.value
    if type(value) is bool:
        yield ast.Constant(not value)
        return
    if type(value) not in (int, float):
        return
    value = -value if negative else value
    others: list[Any] = [value + 1, value - 1, -value, 0, 1, -1, 2, -2, 3]
    if type(value) is float:
        others = [-value, value / 2, 2 * value, value - 1, value + 1, 0.0, 1.0]
        others += [value / 10, value * 10]
        others += (
            [1e-12, 1e-4] if abs(value) < 1e-3 else []
        )  # as small as it can be, and as is usual
    for other in dict.fromkeys(others):
        if other != value:
            size = ast.Constant(abs(other))
            yield ast.UnaryOp(ast.USub(), size) if other < 0 else size


def _bounds(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper", "step"):
            bound = getattr(node, name)
            others: list[ast.expr | None] = [None]
            if bound is not None:
                others = [None, _plus(bound), _minus(bound)]
            elif name != "step":
                others = [ast.Constant(1), ast.Constant(-1)]
            for other in others:
                changed = copy.copy(node)
                setattr(changed, name, other)
                yield changed
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        for index, argument in enumerate(node.args):
            for other in (_plus(argument), _minus(argument)):
                args = [*node.args[:index], other, *node.args[index + 1 :]]
                yield ast.Call(node.func, args, node.keywords)
    elif isinstance(site.parent, ast.Compare) and isinstance(site.parent.ops[0], _ORDERS):
        if not isinstance(node, ast.Constant | ast.cmpop):
            yield from (_plus(node), _minus(node))
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if not isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
            for other in (_plus(node.slice), _minus(node.slice)):
                yield ast.Subscript(node.value, other, node.ctx)


def _jumps(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    if isinstance(site.node, ast.Break):
        yield from (ast.Continue(), ast.Pass())
    elif isinstance(site.node, ast.Continue):
        yield from (ast.Break(), ast.Pass())
    elif isinstance(site.node, ast.Pass):
        yield from (ast.Continue(), ast.Break())


def _names(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in site.names:
            for name in [other for other in site.names if other != node.id][:_MOST_NAMES]:
                yield ast.Name(name, node.ctx)
    elif _of_self(node) and isinstance(node.ctx, ast.Load) and node.attr in site.parts:
        for part in [other for other in site.parts if other != node.attr][:_MOST_NAMES]:
            yield ast.Attribute(node.value, part, node.ctx)


def _arithmetic(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
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


def _functions(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
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


def _arguments(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
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


def _other_texts(site: Site, constants: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    texts = [each for each in constants if type(each) is str]
    if isinstance(node, ast.Constant) and type(node.value) is str:
        if isinstance(site.parent, ast.Expr):
            return
        for other in (*_kin(node.value), *texts[:_MOST_CONSTANTS], "", " "):
            if other != node.value:
                yield ast.Constant(other)


def _superfluous(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
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


def _uncalled(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.expr) and (is_name or site.is_above) and site.field != "targets":
        for part in site.idle:
            layer = ast.Attribute(ast.Name("self", ast.Load()), part, ast.Load())
            yield ast.Call(layer, [node], [])


def _missing(site: Site, _: tuple[Any, ...]) -> Iterator[Any]:
    node = site.node
    if not isinstance(node, ast.expr) or not site.is_above or site.field in ("targets", "target"):
        return
    if isinstance(node, ast.Constant | ast.Tuple | ast.Starred):
        return
    yield from (ast.UnaryOp(ast.USub(), node), _plus(node), _minus(node))
    if not isinstance(node, ast.List | ast.ListComp | ast.GeneratorExp | ast.JoinedStr):
        yield ast.UnaryOp(ast.Not(), node)
        for method, numbers in _METHODS:
            function = ast.Attribute(node, method, ast.Load())
            yield ast.Call(function, [ast.Constant(number) for number in numbers], [])
    for name in _FUNCTIONS:
        yield ast.Call(ast.Name(name, ast.Load()), [node], [])


_OPERATORS: tuple[tuple[str, _Operator], ...] = (
    ("comparison", _comparisons),
    ("condition", _conditions),
    ("number", _numbers),
    ("bound", _bounds),
    ("jump", _jumps),
    ("superfluous", _superfluous),
    ("number", _data),
    ("operator", _arithmetic),
    ("function", _functions),
    ("argument", _arguments),
    ("name", _names),
    ("text", _other_texts),
    ("missing", _uncalled),
    ("missing", _missing),
)


def _plus(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def _minus(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Sub(), ast.Constant(1))


def _of_self(node: Any) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )
