"""Changes of numbers, of flags and of how far two numbers may be apart; judges none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .edit_sites import Site
from .insertions import Context

_MOST_SIZES = 12
_LARGEST = 64  # of numbers that may be sizes


def numbers(site: Site, _: Context) -> Iterator[Any]:
    """Other numbers near this one, and usual ones; none for what stands in a row."""
    return iter(()) if _is_in_row(site) else _others(site)


def row_numbers(site: Site, context: Context) -> Iterator[Any]:
    """Numbers of those that stand in a row, and a size for another one that stands elsewhere."""
    if _is_in_row(site):
        yield from _others(site)
    value = getattr(site.node, "value", None)
    if type(value) is int and (site.is_above or _is_in_row(site)):
        sizes = [each for each in context.numbers if 3 < each <= _LARGEST]
        yield from (ast.Constant(each) for each in sizes[:_MOST_SIZES] if each != value)


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
    for other in dict.fromkeys(others):
        if other != value:
            size = ast.Constant(abs(other))
            yield ast.UnaryOp(ast.USub(), size) if other < 0 else size
