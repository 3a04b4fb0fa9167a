"""Changes of numbers and flags; judges none."""

import ast
import math
from collections.abc import Iterator, Sequence
from typing import Any

from .replacements import read_name
from .sites import Site

_MAKERS = frozenset(  # of tensors
    ("arange", "empty", "eye", "full", "normal", "ones", "rand", "randn", "tensor", "zeros")
)
_SEEDED = {"manual_seed", "seed", "default_rng", "RandomState", "Random"}
_LEAST = 4  # of numbers that are sizes wherever they stand
_MOST_GIVEN, _MOST_NAMES = 2, 8
_HUGE = 1e30  # beside any other number, and not infinite: 0 times it is 0
_LARGE, _LIMIT = 100, 16  # a number that may stand for an infinite one; one that may be a limit


def numbers(site: Site) -> Iterator[Any]:
    """Other numbers near this one, and usual ones."""
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


def sizes(site: Site, fields: Sequence[str]) -> Iterator[Any]:
    """What is given, in the place of a written number: a name, or a size of the config."""
    value = getattr(site.node, "value", None)
    if type(value) is not int or value < 1 or isinstance(site.parent, ast.UnaryOp | ast.Subscript):
        return
    if value < _LEAST and not _is_made_with(site):
        return
    for name in site.given[:_MOST_GIVEN]:
        yield from (ast.Attribute(read_name(name), size, ast.Load()) for size in fields)
    yield from map(read_name, site.names[:_MOST_NAMES])


def _is_seed(site: Site) -> bool:
    """Whether chance begins with it."""
    return _called_with(site) in _SEEDED


def _is_made_with(site: Site) -> bool:
    """Whether a layer or a tensor is made with it."""
    name = _called_with(site)
    return name[:1].isupper() or name in _MAKERS


def _called_with(site: Site) -> str:
    """What is called with it as an argument, by the last part of its name; empty of others."""
    if site.field != "args" or not isinstance(site.parent, ast.Call):
        return ""
    return ast.unparse(site.parent.func).rpartition(".")[2]
