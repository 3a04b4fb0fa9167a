"""Which edits one program can have, also one in the new text of another; runs nothing.

With "norm(x) + f(norm(x))" for "x + f(norm(x))", another edit that replaces "norm" acts in the new
text of the first, as what it replaces stands there too.
"""

import ast
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from .edited_tree import Placed, Stretch, dumps
from .rebuilt_tree import filled


def clash(one: Placed, other: Placed) -> bool:
    """Whether no program has both."""
    return one.module is other.module and any(
        a.meets(b) and not _goes_within(one, a, other, b) and not _goes_within(other, b, one, a)
        for a in one.sites
        for b in other.sites
    )


def _goes_within(outer: Placed, site: Stretch, inner: Placed, part: Stretch) -> bool:
    """Whether the inner edit can be made in this part of the outer one's site."""
    if outer.keeps:
        return site.holds(part)
    return site.is_around(part) and _repeats(outer, inner)


def _repeats(outer: Placed, inner: Placed) -> bool:
    """Whether what the inner edit replaces stands in the outer one's new text."""
    if inner.old is None:
        return False
    nodes = outer.new if isinstance(outer.new, list) else [outer.new]
    return any(ast.dump(inner.old) in dumps(node) for node in nodes)


def nested(edits: Sequence[Placed]) -> list[Placed]:
    """The same edits, those within others made in the new texts of these; large ones first."""
    made = sorted(edits, key=lambda each: -max(site.end - site.start for site in each.sites))
    for index, inner in enumerate(made):
        left = inner.sites
        for place, outer in enumerate(made[:index]):
            within = [part for part in left if any(site.is_around(part) for site in outer.sites)]
            if within and outer.module is inner.module and not outer.keeps:
                made[place] = replace(outer, new=_replaced(outer.new, inner))
                left = tuple(part for part in left if part not in within)
        made[index] = inner if left is inner.sites else replace(inner, sites=left)
    return [one for one in made if one.sites]


def _replaced(new: Any, inner: Placed) -> Any:
    """A new text with the inner edit in it."""
    work = _Replacing(inner)
    if isinstance(new, list):
        return [work.visit(deepcopy(each)) for each in new]
    return work.visit(deepcopy(new))


class _Replacing(ast.NodeTransformer):
    def __init__(self, inner: Placed) -> None:
        assert inner.old is not None
        self._old, self._new = ast.dump(inner.old), inner.new

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and ast.dump(node) == self._old:
            return filled(self._new, node)
        return self.generic_visit(node)
