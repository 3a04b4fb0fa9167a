"""The places of a definition at which something else could stand; changes none by itself."""

import ast
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeGuard

_WHOLE = (ast.expr, ast.stmt)
MAX_TWINS = 4  # queries, keys, values and outputs


@dataclass(frozen=True)
class Site:
    """A place in a tree, with the names that could stand there."""

    parent: ast.AST
    field: str
    index: int | None
    node: Any
    line: int
    names: tuple[str, ...]  # of the function that it stands in
    given: tuple[str, ...]  # those of them that are its parameters
    turns: tuple[str, ...]  # those that loops around it set
    parts: tuple[str, ...]  # that its class sets on self
    is_above: bool  # the value of a whole statement, or an argument

    def put(self, node: Any) -> None:
        """Put a node into this place of the tree."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


class _Scope(NamedTuple):
    """Names that are to be had somewhere, as a site has them."""

    names: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()


def sites(tree: ast.stmt, without: Collection[ast.AST] = ()) -> Iterator[Site]:
    """Every expression, condition and statement, but for type hints and raised errors.

    Nor is anything that stands in `without`.
    """
    parts = _parts(tree)
    pending: list[tuple[ast.AST, int, _Scope]] = [(tree, tree.lineno, _Scope())]
    while pending:
        node, line, outer = pending.pop(0)
        scope = _within(node, outer)
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list", "ctx") or isinstance(
                node, ast.Raise
            ):
                continue
            is_list = isinstance(value, list)
            for index, part in enumerate(value if is_list else [value]):
                if not isinstance(part, ast.AST) or part in without:
                    continue
                here = part.lineno if isinstance(part, ast.stmt) else line
                above = isinstance(node, ast.Assign | ast.Return | ast.AugAssign)
                above = above or (isinstance(node, ast.Call) and field == "args")
                place = index if is_list else None
                yield Site(node, field, place, part, here, *scope, parts, above)
                pending.append((part, here, scope))


def _within(node: ast.AST, outer: _Scope) -> _Scope:
    """The names in what stands in a node."""
    if isinstance(node, ast.FunctionDef):
        return outer._replace(names=_variables(node), given=_parameters(node))
    if isinstance(node, _SCOPES):
        own = tuple(_set_in(node))
        return outer._replace(names=_all(outer.names, own), turns=_all(outer.turns, own))
    if isinstance(node, ast.For):
        return outer._replace(turns=_all(outer.turns, _set_in(node.target)))
    return outer


def _all(*names: Iterable[str]) -> tuple[str, ...]:
    """Each once, in their order."""
    return tuple(dict.fromkeys(chain(*names)))


def notes(tree: ast.AST) -> set[ast.AST]:
    """All in statements within it that set a number which nobody reads: no more than a note."""
    nodes = list(ast.walk(tree))
    read = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    read |= {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return {
        part
        for node in nodes
        if isinstance(node, ast.Assign)
        and node is not tree
        and isinstance(node.value, ast.Constant)
        and all(isinstance(each, ast.Name) and each.id not in read for each in node.targets)
        for part in ast.walk(node)
    }


def twins(places: Sequence[Site]) -> list[list[Site]]:
    """Places at which the same stands, but for its names; none within another of them."""
    found: dict[Any, list[Site]] = {}
    for site in places:
        if isinstance(site.node, _WHOLE) and not isinstance(site.node, ast.Name):
            place = site.index if isinstance(site.node, ast.Slice) else None
            key = type(site.parent), site.field, place, _form(site.node)
            found.setdefault(key, []).append(site)
    return [alike for alike in found.values() if 1 < len(alike) <= MAX_TWINS and _are_apart(alike)]


def _form(part: Any) -> Any:
    """What it is but for names; equal for two that are alike."""
    if isinstance(part, list):
        return tuple(map(_form, part))
    if not isinstance(part, ast.AST):
        return part
    if isinstance(part, ast.Name):
        return ast.Name
    if is_of_self(part):
        return ast.Attribute
    return type(part), *(_form(value) for _, value in ast.iter_fields(part))


def is_of_self(node: Any) -> TypeGuard[ast.Attribute]:
    """Whether it is an attribute of `self`."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def _are_apart(alike: Sequence[Site]) -> bool:
    nodes = [node for site in alike for node in ast.walk(site.node) if isinstance(node, _WHOLE)]
    return len(nodes) == len(set(nodes))


def _parts(tree: ast.stmt) -> tuple[str, ...]:
    """The attributes that are set in it."""
    nodes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return tuple(dict.fromkeys(node.attr for node in nodes if isinstance(node.ctx, ast.Store)))


_SCOPES = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _parameters(function: ast.FunctionDef) -> tuple[str, ...]:
    given = function.args
    names = (arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs))
    return tuple(name for name in names if name != "self")


def _variables(function: ast.FunctionDef) -> tuple[str, ...]:
    names = [*_parameters(function)]
    for node in function.body:
        names += _set_in(node)
    return tuple(name for name in dict.fromkeys(names) if name != "self")


def _set_in(node: ast.AST) -> Iterator[str]:
    """The names that are set there, but for those of scopes within, and `_`, which nobody reads."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id != "_":
        yield node.id
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, (*_SCOPES, ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _set_in(part)
