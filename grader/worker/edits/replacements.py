"""Changes that put a neighbour, another name or another function where one stands; judges none."""

import ast
import copy
from collections.abc import Iterator
from typing import Any

from .sites import Site

_MOST_NAMES = 16  # others that one name is exchanged for
_FAMILIES = tuple(
    frozenset(group.split())
    for group in (
        "mean sum prod amax amin max min median norm",
        "softmax log_softmax sigmoid tanh relu gelu silu",
        "exp exp2 log log2",
        "argmax argmin",
        "sin cos",
        "tril triu",
        "any all",
        "stack cat",
        "append extend",
        "reshape view",
    )
)


def squeezed(site: Site) -> Iterator[Any]:
    """An axis for a method that takes away every axis of size 1."""
    node = site.node
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr == "squeeze":
        yield from (ast.Call(node.func, [ast.Constant(axis)], []) for axis in (-1, 0, 1, 2))


def read_name(name: str) -> ast.expr:
    """What reads a name."""
    return ast.Name(name, ast.Load())


def names(site: Site) -> Iterator[Any]:
    """Another name of the same function."""
    node = site.node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in site.names:
        yield from map(read_name, [name for name in site.names if name != node.id][:_MOST_NAMES])


def functions(site: Site) -> Iterator[Any]:
    """Another function of the same family."""
    node = site.node
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        kin = {other for group in _FAMILIES if node.attr in group for other in group}
        yield from (ast.Attribute(node.value, name, node.ctx) for name in sorted(kin - {node.attr}))


def bounds(site: Site) -> Iterator[Any]:
    """A slice that begins or ends elsewhere: one off, at the end, or where a name says."""
    node = site.node
    if not isinstance(node, ast.Slice):
        return
    for name in ("lower", "upper", "step"):
        bound = getattr(node, name)
        others: list[ast.expr | None] = [None]
        if bound is not None:
            one = ast.Constant(1)
            others += [ast.BinOp(bound, sign, one) for sign in (ast.Add(), ast.Sub())]
        elif name != "step":
            others = [ast.Constant(1), ast.Constant(-1), *map(read_name, site.names[:_MOST_NAMES])]
        for other in others:
            changed = copy.copy(node)
            setattr(changed, name, other)
            yield changed
