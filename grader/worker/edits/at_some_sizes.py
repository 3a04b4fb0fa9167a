"""Changes of what holds at some sizes alone: a block, a class, a turn too few; judges none."""

import ast
from collections.abc import Iterator
from typing import Any

from ..ticks import counted_turn
from .idioms import MOST_GIVEN, SHAPERS, method_of, with_keywords
from .replacements import Context, method, read_name
from .sites import Site

_NAMES = (ast.Name, ast.Attribute)
_SIZED = {"one_hot": "num_classes", "bincount": "minlength"}


def repeated(site: Site, _: Context) -> Iterator[Any]:
    """As often as it takes, in place of once: of what changes its own condition."""
    node = site.node
    if isinstance(node, ast.If) and not node.orelse:
        read = {ast.unparse(part) for part in ast.walk(node.test) if isinstance(part, _NAMES)}
        parts = [part for each in node.body for part in ast.walk(each) if isinstance(part, _NAMES)]
        if any(isinstance(each.ctx, ast.Store) and ast.unparse(each) in read for each in parts):
            yield ast.While(counted_turn(node.test), node.body, [])


def as_index(site: Site, context: Context) -> Iterator[Any]:
    """What picks as a mask does, or as whole numbers do."""
    if site.field == "slice" and isinstance(site.node, ast.Name) and context.has_tensors:
        yield from (method(site.node, kind) for kind in ("bool", "long"))


def all_classes(site: Site, _: Context) -> Iterator[Any]:
    """As many classes, or counts, as there are, and not as the largest one asks for."""
    found = method_of(site.node)
    name = None if found is None else _SIZED.get(found.name)
    if found is not None and name is not None and not found.call.keywords:
        for given in site.given[:MOST_GIVEN]:
            shape = ast.Attribute(read_name(given), "shape", ast.Load())
            for axis in (-1, 0):
                size = ast.Subscript(shape, ast.Constant(axis), ast.Load())
                yield with_keywords(found.call, **{name: size})


def before_each(site: Site, _: Context) -> Iterator[Any]:
    """Running sums without the number itself."""
    found = method_of(site.node)
    if found is not None and found.name == "cumsum":
        of_torch = isinstance(found.owner, ast.Name) and found.owner.id == "torch"
        own = found.call.args[0] if of_torch and found.call.args else found.owner
        yield ast.BinOp(found.call, ast.Sub(), own)


def left_open(site: Site, _: Context) -> Iterator[Any]:
    """A size of a shape that follows from the others."""
    node, parent = site.node, site.parent
    if not isinstance(node, (*_NAMES, ast.Subscript)) or not isinstance(node.ctx, ast.Load):
        return
    is_row = isinstance(parent, ast.Tuple | ast.List) and len(parent.elts) > 2
    found = method_of(parent)
    if is_row or (found is not None and found.name in SHAPERS and site.field == "args"):
        yield ast.UnaryOp(ast.USub(), ast.Constant(1))
