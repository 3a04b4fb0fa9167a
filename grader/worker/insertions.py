"""Changes that put in what somebody may have left out: a call, a method, a bound; judges none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .edit_sites import Site

_METHODS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *(("float", ()), ("long", ()), ("bool", ()), ("clone", ()), ("detach", ()), ("item", ())),
    *(("unsqueeze", (0,)), ("unsqueeze", (1,)), ("unsqueeze", (-1,)), ("squeeze", (0,))),
    *(("unsqueeze", (2,)), ("unsqueeze", (-2,)), ("unsqueeze", (-3,))),
    *(("squeeze", (-1,)), ("transpose", (-2, -1)), ("transpose", (1, 2)), ("argmax", (-1,))),
    *(("sum", (-1,)), ("mean", (-1,)), ("copy", ())),
)
_METHODS_OF_TEXTS: tuple[tuple[str, tuple[int, ...]], ...] = (
    *(("split", ()), ("copy", ()), ("lower", ()), ("strip", ())),
)
_FUNCTIONS = ("list", "len", "int", "set", "tuple", "all")


@dataclass(frozen=True)
class Context:
    """What may stand in a definition beside its own names."""

    texts: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()  # attributes of what a class is made with
    numbers: tuple[int, ...] = ()
    has_tensors: bool = True  # whether the exercise is about tensors
    group: str = ""  # of operators; empty for all


def missing(site: Site, context: Context) -> Iterator[Any]:
    """A sign, a step, a method or a usual function around a whole value."""
    node = site.node
    if not isinstance(node, ast.expr) or not site.is_above or site.field in ("targets", "target"):
        return
    if isinstance(node, ast.Constant | ast.Tuple | ast.Starred):
        return
    yield from (ast.UnaryOp(ast.USub(), node), plus(node), minus(node))
    if not isinstance(node, ast.List | ast.ListComp | ast.GeneratorExp | ast.JoinedStr):
        yield ast.UnaryOp(ast.Not(), node)
        for method, numbers in _METHODS if context.has_tensors else _METHODS_OF_TEXTS:
            yield _method(node, method, *numbers)
    for name in _FUNCTIONS:
        yield ast.Call(ast.Name(name, ast.Load()), [node], [])
    if isinstance(node, ast.Name):
        yield ast.BoolOp(ast.Or(), [node, ast.Constant("")])


def copies(site: Site, context: Context) -> Iterator[Any]:
    """Copies of several tensors that are kept together."""
    node = site.node
    if not context.has_tensors or not isinstance(node, ast.Tuple | ast.List):
        return
    parts = node.elts if isinstance(node.ctx, ast.Load) else []
    if len(parts) > 1 and all(isinstance(each, ast.Name) for each in parts):
        yield type(node)([_method(each, "clone") for each in parts], node.ctx)


def _method(node: ast.expr, name: str, *numbers: int) -> ast.expr:
    given: list[ast.expr] = [ast.Constant(number) for number in numbers]
    return ast.Call(ast.Attribute(node, name, ast.Load()), given, [])


def squeezed(site: Site, _: Context) -> Iterator[Any]:
    """One axis for a method that takes away every axis of size 1."""
    node = site.node
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr == "squeeze":
        yield from (ast.Call(node.func, [ast.Constant(axis)], []) for axis in (-1, 0, 1))


def plus(node: ast.expr) -> ast.expr:
    """One more."""
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def minus(node: ast.expr) -> ast.expr:
    """One less."""
    return ast.BinOp(node, ast.Sub(), ast.Constant(1))


def read_name(name: str) -> ast.expr:
    """What reads a name."""
    return ast.Name(name, ast.Load())
