"""Changes of an idiom into the one that is often meant, and what a line may lack; judges none."""

import ast
from collections.abc import Iterator
from typing import Any

from .replacements import MAKERS, Context, applied, method, near, read_name, works_on
from .sites import Site

_SHAPERS = frozenset(("reshape", "view", "flatten", "unflatten"))
_AXES = ((-2, -1), (1, 2), (0, 1))
_MOST_GIVEN = 2
_METHODS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *(("float", ()), ("long", ()), ("bool", ()), ("clone", ()), ("detach", ()), ("item", ())),
    *(("unsqueeze", (0,)), ("unsqueeze", (1,)), ("unsqueeze", (-1,)), ("squeeze", (0,))),
    *(("unsqueeze", (2,)), ("unsqueeze", (-2,)), ("unsqueeze", (-3,))),
    *(("squeeze", (-1,)), ("transpose", (-2, -1)), ("transpose", (1, 2)), ("argmax", (-1,))),
    *(("sum", (-1,)), ("mean", (-1,)), ("copy", ()), ("argsort", (-1,))),
    *(("flatten", (1,)), ("flatten", (-2,)), ("sqrt", ()), ("exp", ()), ("log", ()), ("abs", ())),
)
_METHODS_OF_TEXTS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *(("split", ()), ("copy", ()), ("lower", ()), ("strip", ())),
)
_FUNCTIONS = ("list", "len", "int", "set", "tuple", "all")
_MOST_OPERANDS = 8


def brackets(site: Site, _: Context) -> Iterator[Any]:
    """Brackets around another pair, or around more or less: `a ** b / c`, `f(a) / b`."""
    node = site.node
    inner = works_on(node)
    if isinstance(inner, ast.BinOp):
        yield ast.BinOp(applied(node, inner.left), inner.op, inner.right)
        yield ast.BinOp(inner.left, inner.op, applied(node, inner.right))
    if not isinstance(node, ast.BinOp):
        return
    for step, other, is_left in ((node.left, node.right, True), (node.right, node.left, False)):
        if isinstance(step, ast.Call) and (own := works_on(step)) is not None:
            pair = (own, other) if is_left else (other, own)
            yield applied(step, ast.BinOp(pair[0], node.op, pair[1]))
    one, other = node.left, node.right
    if isinstance(one, ast.BinOp):
        yield ast.BinOp(one.left, one.op, ast.BinOp(one.right, node.op, other))
        last = one.right
        if isinstance(last, ast.BinOp):
            last = ast.BinOp(last.left, last.op, ast.BinOp(last.right, node.op, other))
            yield ast.BinOp(one.left, one.op, last)
    if isinstance(other, ast.BinOp):
        yield ast.BinOp(ast.BinOp(one, node.op, other.left), other.op, other.right)
    if isinstance(one, ast.UnaryOp) and isinstance(node.op, ast.Pow):
        yield ast.UnaryOp(one.op, ast.BinOp(one.operand, node.op, other))


def divided(site: Site, _: Context) -> Iterator[Any]:
    """Rounded up in place of down; a row of one and the same thing as a row of several."""
    node = site.node
    if not isinstance(node, ast.BinOp):
        return
    if isinstance(node.op, ast.FloorDiv):
        less = ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right)
        yield ast.UnaryOp(ast.USub(), less)
    if not isinstance(node.op, ast.Mult):
        return
    for row, count in ((node.left, node.right), (node.right, node.left)):
        one = row.elts[0] if isinstance(row, ast.List) and len(row.elts) == 1 else None
        if one is not None and not isinstance(one, ast.Constant):
            times = ast.Call(read_name("range"), [count], [])
            turn = ast.comprehension(ast.Name("_", ast.Store()), times, [], 0)
            yield ast.ListComp(one, [turn])


def turned(site: Site, _: Context) -> Iterator[Any]:
    """Axes that change places before a shape is read in another way, or in place of that."""
    call = site.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    owner, name = call.func.value, call.func.attr
    if name in _SHAPERS:
        if isinstance(owner, ast.Name) and owner.id == "torch":
            return
        for pair in _AXES:
            other = method(owner, "transpose", *pair)
            yield ast.Call(ast.Attribute(other, "reshape", ast.Load()), call.args, call.keywords)
            if name != "flatten":
                yield other
    elif name in ("transpose", "swapaxes") and len(call.args) == 2:
        moved = ast.Attribute(owner, "movedim", ast.Load())
        yield from (ast.Call(moved, args, []) for args in (call.args, call.args[::-1]))
    elif name == "repeat":
        for axis, count in enumerate(call.args):
            if not (isinstance(count, ast.Constant) and count.value == 1):
                each = ast.Attribute(owner, "repeat_interleave", ast.Load())
                yield ast.Call(each, [count, ast.Constant(axis)], [])


def kinds_of_numbers(site: Site, _: Context) -> Iterator[Any]:
    """What a tensor is made of, as one that is given is."""
    call = site.node
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return
    if call.func.attr in MAKERS and "dtype" not in {each.arg for each in call.keywords}:
        for name in site.given[:_MOST_GIVEN]:
            yield _with(call, "dtype", ast.Attribute(read_name(name), "dtype", ast.Load()))


def by_length(site: Site, _: Context) -> Iterator[Any]:
    """Longest or shortest, where lists are compared entry by entry."""
    call = site.node
    is_sought = isinstance(call, ast.Call) and ast.unparse(call.func) in ("max", "min", "sorted")
    if is_sought and "key" not in {each.arg for each in call.keywords}:
        yield _with(call, "key", read_name("len"))


def _with(call: ast.Call, name: str, value: ast.expr) -> ast.Call:
    """The same call with one argument more."""
    return ast.Call(call.func, call.args, [*call.keywords, ast.keyword(name, value)])


def as_index(site: Site, context: Context) -> Iterator[Any]:
    """What picks as a mask does, or as whole numbers do."""
    if site.field == "slice" and isinstance(site.node, ast.Name) and context.has_tensors:
        yield from (method(site.node, kind) for kind in ("bool", "long"))


def missing(site: Site, context: Context) -> Iterator[Any]:
    """A sign, a step, a method or a usual function around a whole value."""
    node = site.node
    if not _may_lack(site):
        return
    yield from (ast.UnaryOp(ast.USub(), node), *near(node))
    if not isinstance(node, ast.List | ast.ListComp | ast.GeneratorExp | ast.JoinedStr):
        yield ast.UnaryOp(ast.Not(), node)
        for name, numbers in _METHODS if context.has_tensors else _METHODS_OF_TEXTS:
            yield method(node, name, *numbers)
    for function in _FUNCTIONS:
        yield ast.Call(ast.Name(function, ast.Load()), [node], [])
    if isinstance(node, ast.Name):
        yield ast.BoolOp(ast.Or(), [node, ast.Constant("")])


def operands(site: Site, context: Context) -> Iterator[Any]:
    """Something that has a name, and that a formula may lack."""
    node = site.node
    if not context.has_tensors or not _may_lack(site):
        return
    for name in site.names[:_MOST_OPERANDS]:
        if not (isinstance(node, ast.Name) and node.id == name):
            for operator in (ast.Div(), ast.Mult(), ast.Add(), ast.Sub(), ast.BitAnd()):
                yield ast.BinOp(node, operator, read_name(name))


def _may_lack(site: Site) -> bool:
    """Whether it is a whole value, of which something may be left to do."""
    is_set = site.field in ("targets", "target")
    is_given = isinstance(site.node, ast.Constant | ast.Tuple | ast.Starred)
    return isinstance(site.node, ast.expr) and site.is_above and not (is_set or is_given)
