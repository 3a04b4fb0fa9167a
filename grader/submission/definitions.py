"""Says what each name means at each point of a top-to-bottom run of one notebook; runs nothing."""

import ast
import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from enum import IntEnum
from functools import cached_property
from itertools import chain

from ..handed_in.notebook_io import Cell
from .parsing import Parsed, parse_cell, parts_of
from .standing_alone import defined_in, is_indirect, may_bind
from .statements import Broken, Statement

MAX_STATEMENTS = 10_000  # that bind or change a name; a long notebook has a few hundred


class Offers(IntEnum):
    """What a notebook offers for an exercise, the best last."""

    NOTHING = 0
    IMPORTED = 1  # `from torch import softmax`
    STUB = 2
    ANSWER = 3


class Notebook:
    """One notebook, or one script: its statements in the order of a run, by the names they bind."""

    def __init__(self, name: str, cells: list[Cell]) -> None:
        self.name = name
        self.sources = [cell.source for cell in cells]
        self.statements: list[Statement] = []
        self.broken: list[tuple[int, Broken]] = []  # with the statements that stand before it
        lazy_annotations = False
        for cell in chain.from_iterable(map(parts_of, cells)):
            parsed = parse_cell(cell, lazy_annotations)
            count = len(parsed.statements)
            if count > MAX_STATEMENTS - self.end:
                message = f"{count:,} definitions are too many; the cell is left out"
                names = frozenset[str]().union(*(each.names.binds for each in parsed.statements))
                parsed = Parsed((), Broken(cell.label, 1, message, names))
            self.statements += parsed.statements
            if parsed.broken:
                self.broken.append((self.end, parsed.broken))
            lazy_annotations = lazy_annotations or any(s.is_future for s in parsed.statements)
        self.binds: set[str] = {name for s in self.statements for name in s.names.binds}
        self.reads: set[str] = {n for s in self.statements for n in (s.names.now | s.names.late)}
        # For each name the statements, in order, that …
        self._bindings = _Places()  # bind or delete it
        self._sure = _Places()  # of these, those that surely do
        self._targets = _Places()  # bind it as the target of a loop only
        self._changes = _Places()  # change what it is bound to
        self._submodules = _Places()  # load more of the package it is bound to
        self._own = _Places()  # bind or delete it otherwise than by an import
        self._checked: dict[str, int] = {}  # where an exercise is last given to `check`
        self._definitions: dict[str, list[int]] = {}
        self._own_imports: dict[str, int] = {}  # where an exercise last comes from an own module
        self.stars: list[int] = []
        self.futures: list[int] = []

    @property
    def end(self) -> int:
        """The point after the last statement."""
        return len(self.statements)

    @cached_property
    def is_indirect(self) -> bool:
        """Whether any code may bind or change what it does not name."""
        return any(map(is_indirect, self.sources))

    def may_fill(self, stub: str) -> bool:
        """Whether a run may bind a stub's name to something else that this holds.

        Where the stub is another notebook's, as a later one has it, that is a definition alone.
        """
        own = [s.code for s in self.statements if stub in s.names.binds and s.is_stub]
        return self._may_bind[stub] > may_bind(own)[stub] if own else stub in self._defined

    @cached_property
    def _may_bind(self) -> Counter[str]:
        return may_bind(self.sources)

    @cached_property
    def _defined(self) -> frozenset[str]:
        return defined_in(self.sources)

    def link(
        self,
        is_lent: Callable[[str, str, str], bool],
        exercises: frozenset[str],
        gives: Callable[[str, str], bool],
    ) -> None:
        """Note which statement binds what.

        `is_lent(module, name, bound)` tells the imports that stand for a learner's own exercise:
        they bind nothing here. `gives(module, name)`: whether a module is the learner's own.
        """
        course: set[str] = set()  # names of what the course has lent
        for position, statement in enumerate(self.statements):
            borrows = statement.borrows
            bound = statement.names.binds - statement.names.loops
            lent = {n for n in borrows if is_lent(*borrows[n], n)}
            course |= statement.names_of_lent
            own = {n: borrows[n] for n in borrows.keys() & exercises}
            own |= {n: (statement.star_of, n) for n in exercises if statement.star_of}
            self._own_imports |= {n: position for n, way in own.items() if gives(*way)}
            if statement.is_alias_of(course):
                lent |= exercises & bound
            self._bindings.add(bound - lent, position)
            self._own.add(() if statement.is_import else bound, position)
            is_deletion = isinstance(statement.node, ast.Delete)
            self._sure.add(bound if is_deletion else statement.always - lent, position)
            self._targets.add(statement.names.loops, position)
            self._changes.add(statement.changes, position)
            self._submodules.add(statement.submodules_of, position)
            if statement.star_of:
                self.stars.append(position)
            if statement.checks:
                self._checked[statement.checks] = position
            if statement.is_future:
                self.futures.append(position)

    def mentioned(self, names: Iterable[str]) -> list[str]:
        """Those of `names` that stand anywhere in its code, in order."""
        return sorted(self._words.intersection(names))

    @cached_property
    def _words(self) -> set[str]:
        return {word for source in self.sources for word in re.findall(r"\w+", source)}

    def bindings(self, name: str, at: int) -> list[int]:
        """The statements that give `name` its meaning for a reader at `at`, the latest first.

        The latest binding counts, and those before it where it may not bind (an `if`, a loop).
        Where nothing is bound yet, the next binding counts: cells may have been moved about.
        """
        sure = self._sure.last_before(name, at)
        found = self._bindings.between(name, sure or 0, at)
        if not found:  # `for softmax in …` is hardly anyone's definition
            place = self._targets.last_before(name, at)
            place = self._bindings.first_from(name, at) if place is None else place
            found = [] if place is None else [place]
        return [p for p in found[::-1] if not isinstance(self.statements[p].node, ast.Delete)]

    def last_read(self, name: str, reader: int, exercise: str) -> int:
        """The point at which `name` has the meaning that the code of an exercise is to find.

        That is the end of the run, unless a later cell takes the name of a helper for something
        else: then it is the last `check(exercise)` behind the code that reads it, at `reader`.
        """
        at = self._checked.get(exercise, 0)
        before, after = self._sure.last_before(name, at), self._sure.first_from(name, at)
        return at if reader < at and before is not None and after is not None else self.end

    def changes(self, name: str, bound: list[int], at: int, used: int) -> list[int]:
        """The statements that change what `bound` gave to `name`, read at `at`, before it is used.

        A change counts for as long as the name has that meaning: what `t = table` read is the very
        dictionary that `table["k"] = 1` changes afterwards. What an import binds is not the
        learner's to change: `torch.nn.init.zeros_(weight)` changes no torch.
        """
        if all(self.statements[b].is_import for b in bound):
            return self._submodules.between(name, 0, used)
        start = min(bound) + 1
        next_binding = self._sure.first_from(name, at)
        stop = used if next_binding is None else max(at, min(used, next_binding))
        return self._changes.between(name, start, stop)

    def deleted(self, name: str) -> Statement | None:
        """The `del` after which a name means nothing any more."""
        place = self._bindings.last_before(name, self.end)
        last = None if place is None else self.statements[place]
        return last if last and isinstance(last.node, ast.Delete) else None

    def is_checked(self, exercise: str) -> bool:
        """Whether the exercise was worked at here: a cell gives it to `check`."""
        return exercise in self._checked

    def standing(self, name: str) -> Offers:
        """What a whole run leaves under an exercise's name."""
        found = self.definition(name)
        if not found:
            return Offers.NOTHING
        last = self.statements[found[0]]
        if found[0] == self._own_imports.get(name):
            return Offers.ANSWER
        if last.is_import:
            return Offers.IMPORTED
        if not last.is_stub:
            return Offers.ANSWER
        later = self._changes.between(name, found[0] + 1, self.end)
        is_filled = any(name in self.statements[place].names.changed for place in later)
        return Offers.ANSWER if is_filled else Offers.STUB

    def definition(self, exercise: str) -> list[int]:
        """The statements that define an exercise in a whole run, the latest first.

        The last one wins, but for this: an import of a ready-made one after the learner's own
        answer is there for something else, and so is a copy of the stub. What comes last from a
        module of the learner's own is defined there.
        """
        if exercise not in self._definitions:
            found = self.bindings(exercise, self.end)
            own = self._own_imports.get(exercise)
            if own is not None and all(place <= own for place in found):
                return self._definitions.setdefault(exercise, [own] if own in found else [])
            earlier = [p for p in found if not self.statements[p].is_import]
            if earlier and self.statements[earlier[0]].is_stub:
                earlier = []
            if found and not earlier:
                own = self._own.last_before(exercise, found[0])
                earlier = [] if own is None else self.bindings(exercise, own + 1)
            is_answer = bool(earlier) and not self.statements[earlier[0]].is_stub
            self._definitions[exercise] = earlier if is_answer else found
        return self._definitions[exercise]


class _Places:
    """For each name the positions of statements, in order."""

    def __init__(self) -> None:
        self._places: dict[str, list[int]] = defaultdict(list)

    def add(self, names: Iterable[str], position: int) -> None:
        for name in names:
            self._places[name].append(position)

    def between(self, name: str, start: int, stop: int) -> list[int]:
        places = self._places[name]
        return places[bisect_left(places, start) : bisect_left(places, stop)]

    def last_before(self, name: str, at: int) -> int | None:
        index = bisect_left(self._places[name], at)
        return self._places[name][index - 1] if index else None

    def first_from(self, name: str, at: int) -> int | None:
        index = bisect_left(self._places[name], at)
        return self._places[name][index] if index < len(self._places[name]) else None
