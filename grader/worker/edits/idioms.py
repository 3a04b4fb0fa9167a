"""Changes of an idiom into the one that is often meant by it; judges none."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .replacements import MAKERS, Context, applied, method, read_name, works_on
from .sites import Site, is_of_self

_REDUCERS = frozenset(
    (
        *("sum", "mean", "prod", "amax", "amin", "max", "min", "std", "var", "norm", "median"),
        *("any", "all", "argmax", "argmin", "logsumexp"),
    )
)
_KEEPS = _REDUCERS - {"norm"}
_JOINERS = frozenset(("stack", "cat"))
SHAPERS = frozenset(("reshape", "view", "flatten", "unflatten"))
_PLAIN = frozenset(("T", "mT", "H", "data", "real"))  # attributes that are nearly the same tensor
_AXES = ((-2, -1), (1, 2), (0, 1))
MOST_GIVEN = 2
_MOST_TIMES = 2


@dataclass(frozen=True)
class _Method:
    """A call of something's method, or of a module's function."""

    call: ast.Call
    owner: ast.expr
    name: str


def method_of(node: Any) -> _Method | None:
    """That call, if it is one."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _Method(node, node.func.value, node.func.attr)
    return None


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


def nothing_given(site: Site, _: Context) -> Iterator[Any]:
    """What is None in place of what is empty or zero, and the same thing in place of an equal."""
    node = site.node
    is_asked = site.field in ("test", "ifs", "values") or isinstance(site.parent, ast.UnaryOp)
    if is_asked and isinstance(node, ast.Name | ast.Attribute):
        yield ast.Compare(node, [ast.IsNot()], [ast.Constant(None)])
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
        one, other = node.values
        none = ast.Compare(one, [ast.Is()], [ast.Constant(None)])
        yield ast.IfExp(none, other, one)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        if isinstance(node.ops[0], ast.Is | ast.In):
            yield ast.Compare(node.left, [ast.Eq()], node.comparators)
        elif isinstance(node.ops[0], ast.IsNot | ast.NotIn):
            yield ast.Compare(node.left, [ast.NotEq()], node.comparators)


def alike(site: Site, _: Context) -> Iterator[Any]:
    """The whole text in place of its beginning, a shape in place of a count."""
    found = method_of(site.node)
    if found is None:
        return
    if found.name in ("startswith", "endswith") and len(found.call.args) == 1:
        for operator in (ast.Eq(), ast.In()):
            yield ast.Compare(found.owner, [operator], found.call.args)
    if found.name in ("numel", "dim", "nelement") and not found.call.args:
        yield ast.Attribute(found.owner, "shape", ast.Load())


def chosen(site: Site, _: Context) -> Iterator[Any]:
    """One of what a `where` chooses from, and a tensor in place of one that is nearly the same."""
    node = site.node
    while (found := method_of(node)) and found.name == "where" and len(found.call.args) > 1:
        node = found.call.args[-1]
        yield node
    if isinstance(site.node, ast.Attribute) and site.node.attr in _PLAIN:
        yield site.node.value


def axes(site: Site, _: Context) -> Iterator[Any]:
    """An axis for what is taken over all or joined along the first, or one that stays."""
    found = method_of(site.node)
    if found is not None and found.name in _JOINERS and _is_bare(found.call):
        yield from (with_keywords(found.call, dim=ast.Constant(axis)) for axis in (-1, 1, 2))
    if found is None or found.name not in _REDUCERS:
        return
    call, of_torch = found.call, isinstance(found.owner, ast.Name) and found.owner.id == "torch"
    named = {each.arg for each in call.keywords}
    given = len(call.args) - of_torch
    if given == 0 and "dim" not in named:
        names = [read_name(name) for name in site.given if name in ("dim", "axis")]
        for axis in (*names, *map(ast.Constant, (-1, 0, 1))):
            yield with_keywords(call, dim=axis)
    elif found.name in _KEEPS and "keepdim" not in named:
        yield with_keywords(call, keepdim=ast.Constant(True))


def _is_bare(call: ast.Call) -> bool:
    """Whether it is given one thing and no more."""
    return len(call.args) == 1 and not call.keywords


def with_keywords(call: ast.Call, **keywords: ast.expr) -> ast.Call:
    """The same call with more arguments."""
    more = [ast.keyword(name, value) for name, value in keywords.items()]
    return ast.Call(call.func, call.args, [*call.keywords, *more])


def turned(site: Site, _: Context) -> Iterator[Any]:
    """Axes that change places before a shape is read in another way, or in place of that."""
    found = method_of(site.node)
    if found is None:
        return
    call = found.call
    if found.name in SHAPERS:
        if isinstance(found.owner, ast.Name) and found.owner.id == "torch":
            return
        for pair in _AXES:
            other = method(found.owner, "transpose", *pair)
            yield ast.Call(ast.Attribute(other, "reshape", ast.Load()), call.args, call.keywords)
            if found.name != "flatten":
                yield other
    elif found.name in ("transpose", "swapaxes") and len(call.args) == 2:
        moved = ast.Attribute(found.owner, "movedim", ast.Load())
        yield from (ast.Call(moved, args, []) for args in (call.args, call.args[::-1]))
    elif found.name == "repeat":
        for axis, count in enumerate(call.args):
            if not (isinstance(count, ast.Constant) and count.value == 1):
                each = ast.Attribute(found.owner, "repeat_interleave", ast.Load())
                yield ast.Call(each, [count, ast.Constant(axis)], [])


def handed_on(site: Site, _: Context) -> Iterator[Any]:
    """An argument that is left out, by its place and by its name, or in another's place."""
    call = site.node
    if not isinstance(call, ast.Call):
        return
    used = {each.id for each in ast.walk(call) if isinstance(each, ast.Name)}
    named = {each.arg for each in call.keywords}
    *others, last = call.args or (call.func,)
    if others and isinstance(last, ast.Name):
        yield ast.Call(call.func, others, [*call.keywords, ast.keyword(last.id, last)])
        yield ast.Call(call.func, [*others, ast.Constant(None), last], call.keywords)
    # What may be somebody's own function or part, and no method of a value.
    if call.args and (isinstance(call.func, ast.Name) or is_of_self(call.func)):
        for name in [each for each in site.given if each not in used | named][:MOST_GIVEN]:
            if not call.keywords:
                yield ast.Call(call.func, [*call.args, read_name(name)], [])
            yield with_keywords(call, **{name: read_name(name)})


def kinds_of_numbers(site: Site, _: Context) -> Iterator[Any]:
    """What a tensor is made of, as one that is given is."""
    found = method_of(site.node)
    if found is None or found.name not in MAKERS:
        return
    if "dtype" not in {each.arg for each in found.call.keywords}:
        for name in site.given[:MOST_GIVEN]:
            yield with_keywords(
                found.call, dtype=ast.Attribute(read_name(name), "dtype", ast.Load())
            )


def other_sizes(site: Site, context: Context) -> Iterator[Any]:
    """Another size of the config's; a small one for how often something is done."""
    node, parent = site.node, site.parent
    if isinstance(node, ast.Attribute) and node.attr in context.sizes:
        others = [size for size in context.sizes if size != node.attr]
        counts = isinstance(parent, ast.Call) and ast.unparse(parent.func) == "range"
        for size in others[: _MOST_TIMES if counts else None]:
            yield ast.Attribute(node.value, size, node.ctx)


def orders(site: Site, _: Context) -> Iterator[Any]:
    """What a loop goes through from its end, and what is there once in the order it came."""
    node = site.node
    if site.field == "iter" and isinstance(node, ast.expr):
        yield ast.Call(read_name("reversed"), [ast.Call(read_name("list"), [node], [])], [])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
        if node.func.id == "set":
            yield ast.Call(ast.Attribute(read_name("dict"), "fromkeys", ast.Load()), node.args, [])
        if node.func.id == "enumerate" and not node.keywords:
            yield ast.Call(node.func, [*node.args, ast.Constant(1)], [])


def by_length(site: Site, _: Context) -> Iterator[Any]:
    """Longest or shortest, where lists are compared entry by entry."""
    call = site.node
    is_sought = isinstance(call, ast.Call) and ast.unparse(call.func) in ("max", "min", "sorted")
    if is_sought and "key" not in {each.arg for each in call.keywords}:
        yield with_keywords(call, key=read_name("len"))


def within_bounds(site: Site, _: Context) -> Iterator[Any]:
    """What is below 0 is out of bounds as well."""
    node = site.node
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        below, zero = isinstance(node.ops[0], ast.Lt | ast.LtE), ast.Constant(0)
        if below or isinstance(node.ops[0], ast.Gt | ast.GtE):
            bound = ast.Compare(node.left, [ast.GtE() if below else ast.Lt()], [zero])
            yield ast.BoolOp(ast.And() if below else ast.Or(), [node, bound])


def from_the_end(site: Site, _: Context) -> Iterator[Any]:
    """Counted from the beginning in place of from the end: -0 is no end. One entry, not a row."""
    node = site.node
    if isinstance(node, ast.Slice) and ast.unparse(node) == ":1":
        yield ast.Constant(0)
    if not isinstance(node, ast.Subscript):
        return
    is_row = isinstance(node.slice, ast.Tuple)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    for axis, part in enumerate(parts):
        sizes = ast.Attribute(node.value, "shape", ast.Load())
        is_behind = any(getattr(each, "value", None) is ... for each in parts[:axis])
        place = ast.Constant(axis - len(parts) if is_behind else axis)
        size = ast.Subscript(sizes, place, ast.Load())
        counted = _counted(part, size if is_row else ast.Call(read_name("len"), [node.value], []))
        if counted is not None:
            others = [*parts[:axis], counted, *parts[axis + 1 :]]
            index = ast.Tuple(others, ast.Load()) if is_row else counted
            yield ast.Subscript(node.value, index, node.ctx)


def _counted(part: ast.expr, size: ast.expr) -> ast.Slice | None:
    """The same slice with its ends counted from the beginning; None where they are already."""

    def counted(bound: ast.expr | None) -> ast.expr | None:
        if not isinstance(bound, ast.UnaryOp) or isinstance(bound.operand, ast.Constant):
            return bound
        return ast.BinOp(size, ast.Sub(), bound.operand)

    if not isinstance(part, ast.Slice):
        return None
    lower, upper = counted(part.lower), counted(part.upper)
    if lower is part.lower and upper is part.upper:
        return None
    return ast.Slice(lower, upper, part.step)
