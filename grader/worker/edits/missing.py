"""Changes that add what a line may lack: a step, a sign, an operand; judges none."""

import ast
from collections.abc import Iterator
from typing import Any

from .replacements import Context, method, near, read_name
from .sites import Site

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
