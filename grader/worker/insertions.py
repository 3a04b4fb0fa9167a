"""Changes that put in what somebody may have left out: a call, a method, a bound; judges none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
_VALUES = ("elts", "body", "orelse", "value", "args", "left", "right")
_FUNCTIONS = ("list", "len", "int", "set", "tuple", "all")
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_REDUCTIONS = (
    *("sum", "mean", "prod", "max", "min", "amax", "amin"),
    *("std", "var", "norm", "logsumexp", "any", "all"),
)
_VIEWS = ("view", "reshape", "flatten")


@dataclass(frozen=True)
class Context:
    """What may stand in a definition beside its own names."""

    texts: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()  # attributes of what a class is made with
    numbers: tuple[int, ...] = ()
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of parameters, by the docstring
    functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # with what they need
    has_tensors: bool = True  # whether the exercise is about tensors
    unread: tuple[str, ...] = ()  # parameters
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


def uncalled(site: Site, _: Context) -> Iterator[Any]:
    """A call of a layer that is made and never called."""
    node = site.node
    is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.expr) and (is_name or site.is_above) and site.field != "targets":
        for part in site.idle:
            yield ast.Call(ast.Attribute(read_name("self"), part, ast.Load()), [node], [])


def handed_on(site: Site, context: Context) -> Iterator[Any]:
    """A parameter that nothing reads, as one more argument of a call."""
    node = site.node
    if isinstance(node, ast.Call) and node.args:
        for name in (each for each in site.given if each in context.unread):
            yield ast.Call(node.func, [*node.args, read_name(name)], node.keywords)


def copies(site: Site, context: Context) -> Iterator[Any]:
    """Copies of several tensors that are kept together."""
    node = site.node
    if not context.has_tensors or not isinstance(node, ast.Tuple | ast.List):
        return
    parts = node.elts if isinstance(node.ctx, ast.Load) else []
    if len(parts) > 1 and all(isinstance(each, ast.Name) for each in parts):
        yield type(node)([_method(each, "clone") for each in parts], node.ctx)


def magnitudes(site: Site, _: Context) -> Iterator[Any]:
    """How large a number is, whatever its sign, where it is compared."""
    node = site.node
    if not isinstance(site.parent, ast.Compare) or isinstance(node, ast.Constant):
        return
    if isinstance(node, ast.expr) and isinstance(site.parent.ops[0], _ORDERS):
        yield ast.Call(read_name("abs"), [node], [])


def kept_axis(site: Site, _: Context) -> Iterator[Any]:
    """A reduction that keeps its axis."""
    node = site.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    names = {each.arg for each in node.keywords}
    if node.func.attr not in _REDUCTIONS or "keepdim" in names:
        return
    if node.args or "dim" in names:
        kept = ast.keyword("keepdim", ast.Constant(True))
        yield ast.Call(node.func, node.args, [*node.keywords, kept])


def turned(site: Site, context: Context) -> Iterator[Any]:
    """A transpose before, or behind, a bare view."""
    node = site.node
    if not context.has_tensors or not isinstance(node, ast.Call):
        return
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in _VIEWS:
        return
    for axes in ((1, 2), (-2, -1)):
        before = _method(node.func.value, "transpose", *axes)
        name = "flatten" if node.func.attr == "flatten" else "reshape"
        yield ast.Call(ast.Attribute(before, name, ast.Load()), node.args, node.keywords)
    if node.func.attr != "flatten" and len(node.args) > 2:
        for first in range(1, len(node.args) - 1):
            args = list(node.args)
            args[first : first + 2] = reversed(args[first : first + 2])
            cut = ast.Call(node.func, args, node.keywords)
            yield _method(cut, "transpose", first, first + 1)


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


def axes(site: Site, context: Context) -> Iterator[Any]:
    """The axis that a call works along."""
    node = site.node
    if not context.has_tensors or not isinstance(node, ast.Call):
        return
    if not isinstance(node.func, ast.Attribute) or any(key.arg == "dim" for key in node.keywords):
        return
    for number in (-1, 1, 2, 0):
        axis = ast.parse(str(number), mode="eval").body
        yield ast.Call(node.func, node.args, [*node.keywords, ast.keyword("dim", axis)])
        if len(node.args) < 2:
            yield ast.Call(node.func, [*node.args, axis], node.keywords)


def calls(site: Site, context: Context) -> Iterator[Any]:
    """A call of a function that is at hand: what it needs beside stands under the same names."""
    node = site.node
    if isinstance(node, ast.Constant) and site.field in ("test", "ifs"):
        yield from (read_name(name) for name in site.names)
        yield from (
            ast.Call(read_name(function), [read_name(name)], [])
            for function, needs in context.functions.items()
            for name in site.names
            if len(needs) == 1
        )
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or site.field == "func":
        return
    for function, needs in context.functions.items():
        if node.id == function or not set(needs[1:]) <= set(site.names):
            continue
        rest = [read_name(name) for name in needs[1:]]
        yield ast.Call(read_name(function), [node, *rest], [])
        if rest and needs[0] in site.names and needs[0] != node.id:
            yield ast.Call(read_name(function), [read_name(needs[0]), *rest], [])


def spaces(site: Site, _: Context) -> Iterator[Any]:
    """A space at an end of a text with places."""
    node = site.node
    if isinstance(node, ast.JoinedStr):
        space = ast.Constant(" ")
        yield from (ast.JoinedStr([space, *node.values]), ast.JoinedStr([*node.values, space]))


def joined(site: Site, context: Context) -> Iterator[Any]:
    """A difference, a sum or a cut with another name."""
    node = site.node
    if site.field not in _VALUES or _is_counted(site):
        return
    is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    is_whole = isinstance(node, ast.Call) and isinstance(site.parent, ast.Assign | ast.Return)
    if isinstance(site.parent, ast.Attribute | ast.Subscript):
        return
    if not (is_name or is_whole or isinstance(node, ast.IfExp)):
        return
    for name in (each for each in site.names if each != getattr(node, "id", "")):
        other = read_name(name)
        yield ast.BinOp(node, ast.Sub(), other)
        yield ast.BinOp(other, ast.Sub(), node)
        yield ast.BinOp(node, ast.Div() if is_whole else ast.Add(), other)
        if is_name:
            yield ast.Subscript(node, ast.Slice(None, other), ast.Load())
            yield ast.Subscript(node, ast.Slice(other, None), ast.Load())


def _is_counted(site: Site) -> bool:
    """Whether only its length plays a part."""
    parent = site.parent
    return isinstance(parent, ast.Call) and ast.unparse(parent.func) == "len"


def plus(node: ast.expr) -> ast.expr:
    """One more."""
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def minus(node: ast.expr) -> ast.expr:
    """One less."""
    return ast.BinOp(node, ast.Sub(), ast.Constant(1))


def read_name(name: str) -> ast.expr:
    """What reads a name."""
    return ast.Name(name, ast.Load())
