"""Changes of numbers, flags, bounds and indices; judges none."""

import ast
import copy
import math
from collections.abc import Iterator, Sequence
from typing import Any

from .replacements import MAKERS, Context, near, read_name
from .sites import Site

_MOST_SIZES = 12
_MOST_BOUNDS = 16  # names that may be one
_SEEDED = {"manual_seed", "seed", "default_rng", "RandomState", "Random"}
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_LARGEST = 64  # of numbers that may be sizes
_LEAST = 4  # of numbers that are sizes wherever they stand
_MOST_GIVEN, _MOST_NAMES, _MOST_TURNS = 2, 8, 2
_SHARES, _LEAST_SHARE = (0.1, 0.2, 0.5, 0.8, 0.9), 0.01
_HUGE = 1e30  # beside any other number, and not infinite: 0 times it is 0
_LARGE, _LIMIT = 100, 16  # a number that may stand for an infinite one; one that may be a limit


def numbers(site: Site, _: Context) -> Iterator[Any]:
    """Other numbers near this one, and usual ones; none for what stands in a row."""
    return iter(()) if _is_in_row(site) else _others(site)


def row_numbers(site: Site, context: Context) -> Iterator[Any]:
    """Numbers of those that stand in a row, and a size for another one that stands elsewhere."""
    if _is_in_row(site):
        yield from _others(site)
    value = getattr(site.node, "value", None)
    if type(value) is int and (site.is_above or _is_in_row(site)):
        others = [each for each in context.numbers if 3 < each <= _LARGEST]
        yield from (ast.Constant(each) for each in others[:_MOST_SIZES] if each != value)


def sizes(site: Site, context: Context) -> Iterator[Any]:
    """What is given, in the place of a written number: a name, or a size of the config."""
    value = getattr(site.node, "value", None)
    if type(value) is not int or value < 1 or isinstance(site.parent, ast.UnaryOp | ast.Subscript):
        return
    if value < _LEAST and not _is_made_with(site):
        return
    for name in site.given[:_MOST_GIVEN]:
        yield from (ast.Attribute(read_name(name), size, ast.Load()) for size in context.sizes)
    yield from map(read_name, site.names[:_MOST_NAMES])


def turns(site: Site, _: Context) -> Iterator[Any]:
    """What a loop goes through, in the place of a written number that stays as it is."""
    if type(getattr(site.node, "value", None)) is int and _picks(site):
        yield from map(read_name, site.turns[:_MOST_TURNS])


def _is_in_row(site: Site) -> bool:
    """Whether it is one of several things that stand in a row."""
    parent = site.parent
    return isinstance(parent, ast.List | ast.Tuple) and len(parent.elts) > 1


def _others(site: Site) -> Iterator[Any]:
    node = site.node
    if isinstance(site.parent, ast.UnaryOp) and isinstance(site.parent.op, ast.USub):
        return  # seen with its sign
    if _is_seed(site):
        return  # another one may pass by luck
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
        # As small as it can be beside ones, and as is usual.
        others += [1e-12, 1e-4] if abs(value) < 1e-3 else []
        others += _SHARES if _LEAST_SHARE < value < 1 else []
    if abs(value) >= _LARGE:
        others += [math.copysign(math.inf, value), math.copysign(_HUGE, value)]
    elif value == 0 and isinstance(site.parent, ast.Assign | ast.Tuple):
        others += [-math.inf, math.inf]
    if type(value) is int and value >= _LIMIT:
        others.append(_LIMIT * value)
    for other in dict.fromkeys(others):
        if other != value:
            size = ast.Constant(abs(other))
            yield ast.UnaryOp(ast.USub(), size) if other < 0 else size


def _is_seed(site: Site) -> bool:
    """Whether chance begins with it."""
    return _called_with(site) in _SEEDED


def _is_made_with(site: Site) -> bool:
    """Whether a layer or a tensor is made with it."""
    name = _called_with(site)
    return name[:1].isupper() or name in MAKERS


def _called_with(site: Site) -> str:
    """What is called with it as an argument, by the last part of its name; empty of others."""
    if site.field != "args" or not isinstance(site.parent, ast.Call):
        return ""
    return ast.unparse(site.parent.func).rpartition(".")[2]


def _picks(site: Site) -> bool:
    """Whether it may say which of several: in square brackets, as an argument, in a tuple."""
    fields = {ast.Call: "args", ast.Subscript: "slice", ast.Tuple: "elts"}
    return fields.get(type(site.parent)) == site.field


def bounds(site: Site, _: Context) -> Iterator[Any]:
    """Where a slice, a range or an index begins and ends: one off, or given by a name."""
    node = site.node
    if isinstance(node, ast.Slice):
        yield from _other_slices(node, site.names)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        yield from (ast.Call(node.func, args, node.keywords) for args in _one_near(node.args))
    elif _is_counted(site):
        yield from near(node)
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        for parts in _one_near(node.slice.elts, (ast.Name, ast.BinOp)):
            yield ast.Subscript(node.value, ast.Tuple(parts, ast.Load()), node.ctx)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
        if not isinstance(node.slice, ast.Constant | ast.Slice):
            yield from (ast.Subscript(node.value, other, node.ctx) for other in near(node.slice))


def _other_slices(node: ast.Slice, names: Sequence[str]) -> Iterator[ast.Slice]:
    """One end off by one, left out or a name, or both by one."""
    for end in ("lower", "upper", "step"):
        bound = getattr(node, end)
        others: list[ast.expr | None] = [None]
        if bound is not None:
            others = [None, *near(bound)]
        elif end != "step":
            others = [ast.Constant(1), ast.Constant(-1), *map(read_name, names[:_MOST_BOUNDS])]
        for other in others:
            changed = copy.copy(node)
            setattr(changed, end, other)
            yield changed
    if node.lower is not None and node.upper is not None:
        for lower, upper in zip(near(node.lower), near(node.upper), strict=True):
            yield ast.Slice(lower, upper, node.step)


def _one_near(
    parts: list[ast.expr], kinds: tuple[type, ...] = (ast.expr,)
) -> Iterator[list[ast.expr]]:
    """All of them, with one of these kinds off by one."""
    for index, part in enumerate(parts):
        for other in near(part) if isinstance(part, kinds) else ():
            yield [*parts[:index], other, *parts[index + 1 :]]


def _is_counted(site: Site) -> bool:
    """Whether it is a length that is calculated with, or no plain number and compared."""
    node, parent = site.node, site.parent
    if isinstance(parent, ast.Compare) and isinstance(parent.ops[0], ORDERS):
        return not isinstance(node, ast.Constant | ast.cmpop)
    is_length = isinstance(node, ast.Call) and ast.unparse(node.func) == "len"
    return isinstance(parent, ast.BinOp) and is_length
