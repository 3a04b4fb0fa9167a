"""Changes that put another thing of its kind where a name, a call or a text stands; judges none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from .edit_sites import Site, is_of_self
from .insertions import Context

_MOST_NAMES, _MOST_TEXTS = 16, 16  # others that one name, or text, is exchanged for
_FAMILIES = tuple(
    frozenset(group.split())
    for group in (
        "mean sum prod amax amin max min median norm",
        "softmax log_softmax sigmoid tanh relu gelu silu",
        "argmax argmin",
        "sin cos tan",
        "tril triu",
        "sqrt rsqrt square abs",
        "exp exp2 expm1 log log2 log1p logsumexp",
        "zeros ones empty",
        "zeros_like ones_like empty_like",
        "unsqueeze squeeze",
        "float double long int bool half",
        "float32 float64 int64 int32 bool",
        "append extend insert",
        "stack cat",
        "transpose reshape permute flatten unflatten view swapaxes",
        "any all",
        "equal allclose",
        "train eval",
        "lower upper casefold",
        "removeprefix removesuffix strip lstrip rstrip",
        "startswith endswith",
        "items keys values",
        "clone detach",
        "backward detach",
        "erf tanh",
        "NFD NFC NFKD NFKC",
        "Mn Mc Me",
    )
)


def names(site: Site, _: Context) -> Iterator[Any]:
    """Another name of the same function, or another part of the same object."""
    node = site.node
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in site.names:
            for name in [other for other in site.names if other != node.id][:_MOST_NAMES]:
                yield ast.Name(name, node.ctx)
    elif is_of_self(node) and isinstance(node.ctx, ast.Load) and node.attr in site.parts:
        for part in [other for other in site.parts if other != node.attr][:_MOST_NAMES]:
            yield ast.Attribute(node.value, part, node.ctx)
    elif isinstance(site.parent, ast.Return) and getattr(node, "value", site) is None:
        yield from (ast.Constant(True), ast.Constant(False))
        yield from (ast.Name(name, ast.Load()) for name in site.names[:_MOST_NAMES])


def functions(site: Site, _: Context) -> Iterator[Any]:
    """Another function of the same family."""
    node = site.node
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        name = node.attr
        for other in _kin(name):
            yield ast.Attribute(node.value, other, node.ctx)
        if name.endswith("_") and not name.endswith("__"):
            yield ast.Attribute(node.value, name.rstrip("_"), node.ctx)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        for other in _kin(node.id):
            yield ast.Name(other, node.ctx)


def _kin(name: str) -> list[str]:
    return sorted({other for group in _FAMILIES if name in group for other in group} - {name})


def arguments(site: Site, _: Context) -> Iterator[Any]:
    """The arguments of a call, or the parts of a tuple, in other places, or one left out."""
    node = site.node
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) < 5:
        for elements in _exchanged(node.elts):
            yield ast.Tuple(elements, node.ctx)
    if not isinstance(node, ast.Call):
        return
    for args in _exchanged(node.args):
        yield ast.Call(node.func, args, node.keywords)
    for index in range(len(node.keywords)):
        rest = node.keywords[:index] + node.keywords[index + 1 :]
        yield ast.Call(node.func, node.args, rest)
    if node.args:
        yield ast.Call(node.func, node.args[:-1], node.keywords)


def _exchanged(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Two of them in each other's place."""
    for one in range(len(parts)):
        for other in range(one + 1, len(parts)):
            found = list(parts)
            found[one], found[other] = found[other], found[one]
            yield found


def other_texts(site: Site, context: Context) -> Iterator[Any]:
    """Another text that the definition, or its docstring, speaks of."""
    node = site.node
    if isinstance(node, ast.Constant) and type(node.value) is str:
        if isinstance(site.parent, ast.Expr):
            return
        for other in (*_kin(node.value), *context.texts[:_MOST_TEXTS], "", " "):
            if other != node.value:
                yield ast.Constant(other)
