"""Makes a module's definitions anew with edits in them; finds nothing and runs nothing.

Several edits can stand in one program, each under a condition: which of them are made is then said
when it runs, and none has to be compiled by itself.
"""

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .edited_tree import OLD, RETURNED, SIGNS, WHOLE, Module, Placed, Stretch, is_old, stored_in

MADE = "_made"  # in a program with conditions: the numbers of the edits that are made
_OLD_VALUE = "_old_value"
_New = ast.expr | list[ast.stmt]


def rebuilt(module: Module, edits: Sequence[Placed]) -> dict[ast.stmt, list[ast.stmt]]:
    """The statements at the top of a module that the edits change, and what comes there."""
    acts = [(site, placed.new) for placed in _ordered(edits) for site in placed.sites]
    return _top(module, _Rebuilding(module.above, acts), edits)


@dataclass(frozen=True)
class Switched:
    """A program with many edits, and under which number each of them can be made."""

    made: dict[ast.stmt, list[ast.stmt]]
    numbers: Mapping[Placed, int]


def switched(module: Module, edits: Sequence[Placed]) -> Switched:
    """One program for as many of these edits as one can hold."""
    numbers: dict[Placed, int] = {}
    for placed in _ordered(edits):
        if all(_can_be_either(module, site, placed) for site in placed.sites) and not any(
            _cross(placed, other) for other in numbers
        ):
            numbers[placed] = len(numbers)
    acts = [(site, _either(one, number)) for one, number in numbers.items() for site in one.sites]
    return Switched(_top(module, _Rebuilding(module.above, acts), ()), numbers)


def _ordered(edits: Sequence[Placed]) -> list[Placed]:
    """What takes a place comes first; what keeps what stood there is put around that."""
    return sorted(edits, key=lambda placed: (placed.keeps, placed.edit.old == RETURNED))


def _top(
    module: Module, work: "_Rebuilding", edits: Sequence[Placed]
) -> dict[ast.stmt, list[ast.stmt]]:
    made: dict[ast.stmt, list[ast.stmt]] = {}
    for statement in dict.fromkeys(module.definitions.values()):
        whole = [e for e in edits if e.edit.old == WHOLE and e.sites[0].node is statement]
        if whole and isinstance(whole[0].new, list):
            made[statement] = whole[0].new
        elif id(statement) in work.touched:
            made[statement] = work.block([statement])
    return made


def _can_be_either(module: Module, site: Stretch, placed: Placed) -> bool:
    """Whether the site is reached as a function runs, and its new text shadows no other name."""
    function = module.functions.get(id(site.node))
    if function is None or placed.edit.old == WHOLE:
        return False
    stored = stored_in(placed.new)
    if not stored:  # as with most: then the function need not be walked through
        return True
    names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    own = stored_in([function]) | {n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)}
    return stored.isdisjoint({node.id for node in names} - own)


def _cross(one: Placed, other: Placed) -> bool:
    """Whether they have a part of the tree in common, and neither holds the other's."""
    return any(
        a.meets(b) and not a.holds(b) and not b.holds(a) for a in one.sites for b in other.sites
    )


def _either(placed: Placed, number: int) -> _New:
    """What comes there if the edit is made, and else what stood there."""
    test = ast.Compare(ast.Constant(number), [ast.In()], [ast.Name(MADE, ast.Load())])
    old = ast.Name(OLD, ast.Load())
    if isinstance(placed.new, list):
        kept: list[ast.stmt] = [ast.Expr(old)] if placed.sites[0].length else []
        return [ast.If(test, placed.new or [ast.Pass()], kept)]
    if not placed.keeps:
        return ast.IfExp(test, placed.new, old)
    # What stood there is written once, however many edits are put around it.
    given = ast.arguments([], [ast.arg(_OLD_VALUE)], None, [], [], None, [])
    new = ast.Lambda(given, filled(placed.new, ast.Name(_OLD_VALUE, ast.Load())))
    same = ast.Lambda(given, ast.Name(_OLD_VALUE, ast.Load()))
    return ast.Call(ast.IfExp(test, new, same), [old], [])


class _Rebuilding:
    """Copies what leads to a site, and shares all else with the tree."""

    def __init__(self, above: Mapping[int, int], acts: Sequence[tuple[Stretch, _New]]) -> None:
        self.acts: dict[int, list[tuple[Stretch, _New]]] = {}  # by the id of their node
        self.touched: set[int] = set()  # what leads to a site
        for site, new in acts:
            self.acts.setdefault(id(site.node), []).append((site, new))
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
        for _, new in self.acts.get(id(node), ()):
            if not isinstance(new, list):
                made = filled(new, made)
        return made

    def block(self, statements: Sequence[ast.stmt], within: int | None = None) -> list[ast.stmt]:
        """`within`: they are a stretch of so many, whose own edits are put around them later."""
        made: list[ast.stmt] = []
        index = 0
        while index < len(statements):
            acts = [(s.length, n) for s, n in self._at(statements[index]) if isinstance(n, list)]
            if within is not None and not index:
                acts = [(count, new) for count, new in acts if 0 < count < within]
            for count, new in acts:
                made += new if not count else []
            size = max((count for count, _ in acts), default=0)
            if size:
                part = self.block(statements[index : index + size], size)
            else:
                part = [self.node(statements[index])]
            for count, new in acts:
                part = list(_spliced(new, part)) if size and count == size else part
            made += part
            index += max(size, 1)
        return made or ast.parse("pass").body

    def _at(self, node: ast.AST) -> Sequence[tuple[Stretch, _New]]:
        return self.acts.get(id(node), ())


def filled(new: Any, old: ast.expr) -> Any:
    """The new tree with the old one where it names it."""
    if is_old(new):
        return old
    if isinstance(new, list):
        return [filled(one, old) for one in new]
    if not isinstance(new, ast.AST) or isinstance(new, SIGNS):
        return new
    made = copy.copy(new)
    for name, value in ast.iter_fields(new):
        setattr(made, name, filled(value, old))
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
