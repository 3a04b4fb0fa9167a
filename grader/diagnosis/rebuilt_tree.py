"""Makes a module's definitions anew with edits in them; finds nothing and runs nothing."""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .edited_tree import RETURNED, SIGNS, WHOLE, Module, Placed, is_old


def rebuilt(module: Module, edits: Sequence[Placed]) -> list[ast.stmt]:
    """The statements at the top of a module that the edits change, with what comes there."""
    made: list[ast.stmt] = []
    work = _Rebuilding(module.above, edits)
    for statement in dict.fromkeys(module.definitions.values()):
        whole = [e for e in edits if e.edit.old == WHOLE and e.sites[0].node is statement]
        if whole and isinstance(whole[0].new, list):
            made += whole[0].new
        elif id(statement) in work.touched:
            made += work.block([statement])
    return made


class _Rebuilding:
    """Copies what leads to a site, and shares all else with the tree."""

    def __init__(self, above: Mapping[int, int], edits: Sequence[Placed]) -> None:
        # What takes a place comes first; what keeps what stood there is put around that.
        ordered = sorted(edits, key=lambda placed: (placed.keeps, placed.edit.old == RETURNED))
        self.acts = [(site, placed) for placed in ordered for site in placed.sites]
        self.touched: set[int] = set()  # what leads to a site
        for site, _ in self.acts:
            place: int | None = id(site.node)
            while place is not None and place not in self.touched:
                self.touched.add(place)
                place = above.get(place)

    def node(self, node: ast.AST) -> Any:
        if id(node) not in self.touched:
            return node
        made: Any = copy.copy(node)
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(made, name, self.node(value))
            elif isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(made, name, self.block(value))
            elif isinstance(value, list):
                parts = [self.node(one) if isinstance(one, ast.AST) else one for one in value]
                setattr(made, name, parts)
        for site, placed in self.acts:
            if site.node is node and not isinstance(placed.new, list):
                made = _filled(placed.new, made)
        return made

    def block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        index = 0
        while index < len(statements):
            acts = [(s, p.new) for s, p in self.acts if s.node is statements[index]]
            blocks = [(site.length, new) for site, new in acts if isinstance(new, list)]
            for count, new in blocks:
                made += new if not count else []
            size = max([count for count, _ in blocks if count], default=1)
            part = [self.node(one) for one in statements[index : index + size]]
            for count, new in blocks:
                part = list(_spliced(new, part)) if count else part
            made += part
            index += size
        return made or ast.parse("pass").body


def _filled(new: Any, old: ast.expr) -> Any:
    """The new tree with the old one where it names it."""
    if is_old(new):
        return old
    if isinstance(new, list):
        return [_filled(one, old) for one in new]
    if not isinstance(new, ast.AST) or isinstance(new, SIGNS):
        return new
    made = copy.copy(new)
    for name, value in ast.iter_fields(new):
        setattr(made, name, _filled(value, old))
    return made


def _spliced(new: Sequence[ast.stmt], old: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in new:
        if isinstance(statement, ast.Expr) and is_old(statement.value):
            yield from old
            continue
        made = copy.copy(statement)
        for name, value in ast.iter_fields(statement):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(made, name, list(_spliced(value, old)))
        yield made
