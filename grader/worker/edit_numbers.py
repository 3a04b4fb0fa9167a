"""Changes of numbers, of flags and of how far two numbers may be apart; judges none."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from .edit_sites import Site
from .insertions import Context, read_name

_MOST_SIZES = 12
_LARGEST = 64  # of numbers that may be sizes
_LEAST = 4  # of numbers that are sizes wherever they stand
_MOST_GIVEN, _MOST_NAMES, _MOST_TURNS = 2, 8, 2
_MAKERS = ("ones", "zeros", "randn", "rand", "empty", "full", "normal")
_SHARES, _LEAST_SHARE = (0.1, 0.2, 0.5, 0.8, 0.9), 0.01
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


def tolerances(site: Site, _: Context) -> Iterator[Any]:
    """Usual tolerances of a comparison of tensors."""
    node = site.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if node.func.attr not in ("allclose", "isclose", "assert_close"):
        return
    if any(not isinstance(each.value, ast.Constant) for each in node.keywords):
        return  # it is set somewhere else
    others = [each for each in node.keywords if each.arg != "atol"]
    for room in (1e-4, 1e-2):
        keywords = [*others, ast.keyword("atol", ast.Constant(room))]
        yield ast.Call(node.func, node.args[:3], keywords)


def _is_in_row(site: Site) -> bool:
    """Whether it is one of several things that stand in a row."""
    parent = site.parent
    return isinstance(parent, ast.List | ast.Tuple) and len(parent.elts) > 1


def _others(site: Site) -> Iterator[Any]:
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
        # As small as it can be beside ones, and as is usual.
        others += [1e-12, 1e-4] if abs(value) < 1e-3 else []
        others += _SHARES if _LEAST_SHARE < value < 1 else []
    if abs(value) >= _LARGE:
        others.append(math.copysign(math.inf, value))
    elif value == 0 and _is_set(site):
        others += [-math.inf, math.inf]
    if type(value) is int and value >= _LIMIT:
        others.append(_LIMIT * value)
    for other in dict.fromkeys(others):
        if other != value:
            size = ast.Constant(abs(other))
            yield ast.UnaryOp(ast.USub(), size) if other < 0 else size


def _is_made_with(site: Site) -> bool:
    """Whether a layer or a tensor is made with it."""
    if site.field != "args" or not isinstance(site.parent, ast.Call):
        return False
    name = ast.unparse(site.parent.func).rpartition(".")[2]
    return name[0].isupper() or name in _MAKERS


def _picks(site: Site) -> bool:
    """Whether it may say which of several: in square brackets, as an argument, in a tuple."""
    fields = {ast.Call: "args", ast.Subscript: "slice", ast.Tuple: "elts"}
    return fields.get(type(site.parent)) == site.field


def _is_set(site: Site) -> bool:
    """Whether a name is set to it, alone or with others."""
    return isinstance(site.parent, ast.Assign | ast.Tuple)
