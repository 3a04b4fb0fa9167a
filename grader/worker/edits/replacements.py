"""Changes that put another thing, one more or a neighbour where something stands; judges none."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .sites import Site, is_of_self

MAKERS = frozenset(  # of tensors
    ("arange", "empty", "eye", "full", "normal", "ones", "rand", "randn", "tensor", "zeros")
)
_MOST_NAMES, _MOST_TEXTS = 16, 16  # others that one name, or text, is exchanged for
_FAMILIES = tuple(
    frozenset(group.split())
    for group in (
        "mean sum prod amax amin max min median norm",
        "softmax log_softmax sigmoid tanh relu gelu silu",
        "argmax argmin",
        "sin cos tan",
        "tril triu",
        "sqrt rsqrt square abs isqrt",
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
        "copy deepcopy",
        "Dropout Dropout1d AlphaDropout",
        "backward detach",
        "erf tanh",
        "NFD NFC NFKD NFKC",
        "Mn Mc Me",
    )
)
Change = tuple[tuple[Site, Any], ...]  # at one place, or at several that are alike


@dataclass(frozen=True)
class Context:
    """What may stand in a definition beside its own names."""

    texts: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()  # attributes of what a class is made with
    numbers: tuple[int, ...] = ()
    has_tensors: bool = True  # whether the exercise is about tensors
    group: str = ""  # of operators


def copies(site: Site, context: Context) -> Iterator[Any]:
    """Copies of several tensors that are kept together."""
    node = site.node
    if not context.has_tensors or not isinstance(node, ast.Tuple | ast.List):
        return
    parts = node.elts if isinstance(node.ctx, ast.Load) else []
    if len(parts) > 1 and all(isinstance(each, ast.Name) for each in parts):
        yield type(node)([method(each, "clone") for each in parts], node.ctx)


def method(node: ast.expr, name: str, *numbers: int) -> ast.expr:
    """A call of a method of it."""
    given: list[ast.expr] = [ast.Constant(number) for number in numbers]
    return ast.Call(ast.Attribute(node, name, ast.Load()), given, [])


def squeezed(site: Site, _: Context) -> Iterator[Any]:
    """An axis for a method that takes away every axis of size 1, or makes one of all."""
    node = site.node
    if not isinstance(node, ast.Call) or node.args or node.keywords:
        return
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("squeeze", "flatten"):
        first = -2 if node.func.attr == "flatten" else -1
        yield from (ast.Call(node.func, [ast.Constant(axis)], []) for axis in (first, 0, 1, 2))


def near(node: ast.expr) -> tuple[ast.expr, ast.expr]:
    """One more, and one less."""
    more, less = (ast.BinOp(node, sign, ast.Constant(1)) for sign in (ast.Add(), ast.Sub()))
    return more, less


def read_name(name: str) -> ast.expr:
    """What reads a name."""
    return ast.Name(name, ast.Load())


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
    """Arguments of a call, or parts of a tuple, in other places, one left out, or every second."""
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
    if getattr(node.func, "attr", getattr(node.func, "id", "")) in ("arange", "range"):
        begun = [ast.Constant(0), *node.args] if len(node.args) == 1 else node.args
        if len(begun) == 2:
            yield ast.Call(node.func, [*begun, ast.Constant(2)], node.keywords)


def _exchanged(parts: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Two of them in each other's place."""
    for one, other in combinations(range(len(parts)), 2):
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


def steps(site: Site, _: Context) -> Iterator[Any]:
    """Two steps, of which one works on what the other gives, in each other's place."""
    outer = site.node
    if not isinstance(outer, ast.Call):
        return
    inner = works_on(outer)
    value = None if inner is None else works_on(inner)
    if inner is not None and value is not None and ast.dump(outer.func) != ast.dump(inner.func):
        yield applied(inner, applied(outer, value))


def works_on(call: ast.expr) -> Any:
    """What a step works on: of a method its object, of a function its only argument."""
    if not isinstance(call, ast.Call):
        return None
    if _ismethod(call):
        return call.func.value  # type: ignore[attr-defined]
    return call.args[0] if len(call.args) == 1 and not call.keywords else None


def _ismethod(call: ast.Call) -> bool:
    """Whether it is one of a value's, and no part of an object or of a module."""
    owner = getattr(call.func, "value", None)
    is_name = isinstance(owner, ast.Name) and not call.args
    return is_name or isinstance(owner, ast.Call | ast.BinOp | ast.Subscript)


def applied(call: ast.Call, value: ast.expr) -> ast.Call:
    """The same step on something else."""
    if _ismethod(call):
        function = copy.copy(call.func)
        function.value = value  # type: ignore[attr-defined]
        return ast.Call(function, call.args, call.keywords)
    return ast.Call(call.func, [value], [])
