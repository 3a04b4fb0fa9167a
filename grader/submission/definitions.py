"""Says what each name means at each point of a top-to-bottom run of one notebook; runs nothing."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Callable, Iterator
from enum import IntEnum

from .notebook_io import Cell
from .statements import Broken, Statement, parse_cell

MAX_STATEMENTS = 20_000  # that bind or change a name; a long notebook has a few hundred


class Standing(IntEnum):
    """What a notebook offers for an exercise, the best last."""

    NOTHING = 0
    IMPORTED = 1  # `from torch import softmax`
    STUB = 2
    ANSWER = 3


class Notebook:
    """One notebook, or one script: its statements in the order of a run, by the names they bind."""

    def __init__(self, name: str, cells: list[Cell]) -> None:
        self.name = name
        self.statements: list[Statement] = []
        self.broken: list[tuple[int, Broken]] = []  # with the statements that stand before it
        lazy_annotations = False
        for cell in cells:
            parsed = parse_cell(cell, lazy_annotations)
            self.statements += parsed.statements
            if parsed.broken:
                self.broken.append((self.end, parsed.broken))
            if len(self.statements) > MAX_STATEMENTS:
                del self.statements[MAX_STATEMENTS:]
                told = "the notebook has too many statements; what follows is left out"
                self.broken.append((self.end, Broken(cell.label, 1, told)))
                break
            lazy_annotations = lazy_annotations or any(s.is_future for s in parsed.statements)
        self.binds: set[str] = {name for s in self.statements for name in s.names.binds}
        self._bindings: dict[str, list[int]] = {}
        self._changes: dict[str, list[int]] = {}
        self._submodules: dict[str, list[int]] = {}
        self.stars: list[int] = []
        self.futures: list[int] = []

    @property
    def end(self) -> int:
        """The point after the last statement."""
        return len(self.statements)

    def link(self, is_lent: Callable[[str, str, str], bool]) -> None:
        """Note which statement binds what.

        `is_lent(module, name, bound)` tells the imports that stand for a learner's own exercise:
        they bind nothing here.
        """
        setups = {
            name: statement.names.global_stores
            for statement in self.statements
            for name in statement.names.binds
            if statement.names.global_stores
        }
        for position, statement in enumerate(self.statements):
            borrows = statement.borrows
            for name in statement.names.binds:
                module, original = borrows.get(name, ("", ""))
                if not is_lent(module, original, name):
                    self._bindings.setdefault(name, []).append(position)
            for name in setups.get(statement.calls or "", ()):
                self._bindings.setdefault(name, []).append(position)
            for name in statement.changes | statement.names.called_on:
                self._changes.setdefault(name, []).append(position)
            for name in statement.submodules_of:
                self._submodules.setdefault(name, []).append(position)
            if statement.star_of:
                self.stars.append(position)
            if statement.is_future:
                self.futures.append(position)

    def bindings(self, name: str, at: int) -> list[int]:
        """The statements that give `name` its meaning for a reader at `at`.

        The latest binding counts, and those before it where it may not bind (an `if`, a loop).
        Where nothing is bound yet, the next binding counts: cells may have been moved about.
        """
        positions = self._bindings.get(name, [])
        split = bisect_left(positions, at)
        found: list[int] = []
        targets: list[int] = []
        for position in self._backwards(positions, split):
            statement = self.statements[position]
            if isinstance(statement.node, ast.Delete):
                return found
            if name in statement.names.loops:
                targets.append(position)  # `for softmax in …` is hardly anyone's definition
                continue
            found.append(position)
            if name in statement.always:
                return found
        if found or targets:
            return found or targets[:1]
        return positions[split : split + 1] if self._may_come_later(positions, split) else []

    def changes(self, name: str, bound: list[int], at: int) -> Iterator[int]:
        """The statements before `at` that change what `bound` gave to `name`."""
        positions = self._changes.get(name, [])
        start, stop = bisect_left(positions, min(bound) + 1), bisect_left(positions, at)
        holds_container = any(self.statements[b].makes_container for b in bound)
        for position in positions[start:stop]:
            if holds_container or name in self.statements[position].changes:
                yield position
        if any(isinstance(self.statements[b].node, ast.Import) for b in bound):
            submodules = self._submodules.get(name, [])
            yield from submodules[: bisect_left(submodules, at)]

    def deleted(self, name: str) -> Statement | None:
        """The `del` after which a name means nothing any more."""
        positions = self._bindings.get(name)
        last = self.statements[positions[-1]] if positions else None
        return last if last and isinstance(last.node, ast.Delete) else None

    def standing(self, name: str) -> Standing:
        """What a whole run leaves under an exercise's name."""
        found = self.bindings(name, self.end)
        if not found:
            return Standing.NOTHING
        last = self.statements[found[0]]
        if last.is_import:
            return Standing.IMPORTED
        return Standing.STUB if last.is_stub else Standing.ANSWER

    def _backwards(self, positions: list[int], split: int) -> Iterator[int]:
        return (positions[i] for i in range(split - 1, -1, -1))

    def _may_come_later(self, positions: list[int], split: int) -> bool:
        return split < len(positions) and not isinstance(
            self.statements[positions[split]].node, ast.Delete
        )
