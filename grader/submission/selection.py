"""Which statements of a submission an exercise needs, found by following names; runs none."""

import builtins
from collections.abc import Collection

from .notebooks import Notebooks, is_course
from .standing_alone import stand_alone
from .statements import Broken

_BUILTINS = frozenset(
    [*dir(builtins), "__name__", "__file__", "__doc__", "__class__", "display", "get_ipython"]
)
_MAX_STEPS = 10_000  # the largest exercise of a course in one notebook takes some 300

Place = tuple[int, int]  # (which notebook, which statement)
# A name as the statement at `at` of a notebook reads it, for use at `used`: later, or at the end,
# or beyond it: from another notebook, or by the examiner.
Read = tuple[int, str, int, int]  # (which notebook, name, at, used)


class Tangled(Exception):
    """Code in which everything depends on everything, as no learner writes it."""


class Selection:
    """The statements that one exercise needs, and what must come before what."""

    def __init__(
        self, notebooks: Notebooks, exercise: str, home: int, replaced: Collection[str]
    ) -> None:
        self.notebooks = notebooks
        self.exercise = exercise
        self.home = home
        self.needed: set[Place] = set()
        self.first: dict[Place, set[Place]] = {}  # what must run before a statement
        self.aliases: dict[Place, set[tuple[str, str]]] = {}  # `from kit.earlier import b as a`
        self.crossings: set[tuple[int, int, str]] = set()  # (reader, owner, name)
        self.ties: set[Place] = set()  # imports of the learner's own, of which nothing is executed
        self.references: set[str] = set()  # replaced exercises that are used
        self.uses: set[str] = set()
        self.absent: set[str] = set()
        self._is_as_checked = False  # a later cell takes the name of a helper
        self._replaced = frozenset(replaced) - {exercise}
        self._unbound: set[tuple[int, str]] = set()
        self._seen: set[Read] = set()
        self._waiting: list[Read] = []
        self._steps = 0
        self._follow()

    def broken(self) -> list[Broken]:
        """Cells that do not parse and would have bound a helper that is bound nowhere else."""
        helpers = {(i, n) for i, n in self._unbound if n not in self.notebooks.exercises}
        return [
            broken
            for index, name in sorted(helpers)
            for _, broken in self.notebooks[index].broken
            if name in broken.names and name not in _BUILTINS
        ]

    def stands_alone(self) -> bool:
        """Whether no other statement can change what these do, as far as reading tells."""
        if self._is_as_checked:
            return False
        unknown = {name for _, name in self._unbound} - _BUILTINS - self.notebooks.exercises
        needed = [self.notebooks[index].statements[position] for index, position in self.needed]
        if unknown and not any(statement.star_of for statement in needed):
            return False
        known = {name for statement in needed for name in statement.names.binds}
        imported = {n for statement in needed if statement.is_import for n in statement.names.binds}
        read = {index for index, _ in self.needed}
        if any(self.notebooks[index].is_indirect for index in read):
            return False
        for index in read:
            for position, other in enumerate(self.notebooks[index].statements):
                changed = other.touches - (imported - other.names.changed)
                if (index, position) not in self.needed and not known.isdisjoint(changed):
                    return False
        return stand_alone(needed, self.notebooks.modules)

    def _follow(self) -> None:
        self._ask_from_outside(self.home, self.exercise)
        while self._waiting:
            self._read(*self._waiting.pop())
        for index in {index for index, _ in self.needed}:
            notebook = self.notebooks[index]
            self.needed.update((index, future) for future in notebook.futures)
            if any(reader == index for reader, _ in self._unbound):
                modules = {star: notebook.statements[star].star_of or "" for star in notebook.stars}
                self.needed.update((index, s) for s, m in modules.items() if not is_course(m))

    def _ask(self, index: int, names: Collection[str], at: int, used: int) -> None:
        self._step(len(names))
        for name in sorted(names):
            read = (index, name, at, used)
            if read not in self._seen:
                self._seen.add(read)
                self._waiting.append(read)

    def _ask_from_outside(self, index: int, name: str) -> None:
        end = self.notebooks[index].end
        self._ask(index, [name], end, end + 1)

    def _ask_late(self, index: int, names: Collection[str], position: int) -> None:
        """Names that the statement at `position` reads when the exercise is called."""
        notebook = self.notebooks[index]
        for name in sorted(names):
            is_exercise = name in self.notebooks.exercises
            at = notebook.end if is_exercise else notebook.last_read(name, position, self.exercise)
            self._is_as_checked |= at < notebook.end
            self._ask(index, [name], at, notebook.end)

    def _read(self, index: int, name: str, at: int, used: int) -> None:
        """Follow one name as one notebook reads it at one point of its run."""
        notebook = self.notebooks[index]
        is_recursion = name == self.exercise and index == self.home and at == notebook.end
        if is_recursion or used > notebook.end:
            found = notebook.definition(name)
        else:
            found = notebook.bindings(name, at)
        if not found or self._comes_from_star(index, name, found, at):
            if not found and name in self.notebooks.exercises:
                self._cross(name, index, at)
            if found or name not in self.uses | self.references | {self.exercise}:
                self._unbound.add((index, name))  # a builtin, a star's, or nothing's
            return
        last = notebook.statements[found[0]]
        if name in last.borrows and self._read_borrowed(index, name, found[0]):
            self._before(index, at, index, found[:1])
            return
        if name in self.notebooks.exercises and name != self.exercise and not last.is_import:
            is_better_elsewhere = last.is_stub and self.notebooks.home(name) != index
            if name in self._replaced or is_better_elsewhere:
                self._cross(name, index, at)
                return
            self.uses.add(name)
        changes = list(notebook.changes(name, found, at, used))
        self._before(index, at, index, found)
        self._before(index, used, index, changes)
        self._step(len(found) + len(changes))
        for position in [*found, *changes]:
            self._need(index, position)
            if used < notebook.end:  # what it means may be called then
                names = notebook.statements[position].names
                self._ask(index, names.late, used, used)
                self._ask(index, names.now, position, used)

    def _comes_from_star(self, index: int, name: str, found: list[int], at: int) -> bool:
        """`from torch import *`, then `softmax` before the learner's own: the ready-made one."""
        notebook = self.notebooks[index]
        is_early = name in self.notebooks.exercises and min(found) >= at
        return is_early and any(star < at for star in notebook.stars)

    def _need(self, index: int, position: int) -> None:
        if (index, position) in self.needed:
            return
        self.needed.add((index, position))
        notebook = self.notebooks[index]
        statement = notebook.statements[position]
        self._ask_late(index, statement.names.late, position)
        self._ask(index, statement.names.now, position, notebook.end)
        if statement.may_call:
            self._ask(index, statement.names.now, position, position)

    def _step(self, work: int) -> None:
        self._steps += 1 + work
        if self._steps > _MAX_STEPS:
            raise Tangled

    def _read_borrowed(self, index: int, bound: str, position: int) -> bool:
        """`from kit.earlier import softmax as mine`: no import but another name for their own."""
        module, name = self.notebooks[index].statements[position].borrows[bound]
        lender = self.notebooks.lender(module, name, index)
        if self.notebooks.is_shared(module, name):
            self._cross(name, index, position)
        elif lender is not None and lender != index:
            self._lend(name, lender, index, position)
        else:
            return module.partition(".")[0] == "grader"  # `check` is no part of an exercise
        self.ties.add((index, position))
        if name not in self.absent:
            aliases = self.aliases.setdefault((index, position), set())
            aliases.update([(bound, name)] if bound != name else [])
        return True

    def _cross(self, exercise: str, reader: int, at: int) -> None:
        """An exercise that the reading notebook does not define itself."""
        if exercise in self._replaced:
            self.references.add(exercise)
            return
        home = self.notebooks.home(exercise)
        if home is None:
            self.absent.add(exercise)
            return
        if exercise != self.exercise:
            self.uses.add(exercise)
        self._lend(exercise, home, reader, at)

    def _lend(self, name: str, owner: int, reader: int, at: int) -> None:
        self._ask_from_outside(owner, name)
        if owner != reader:
            self.crossings.add((reader, owner, name))
        self._before(reader, at, owner, self.notebooks[owner].definition(name))

    def _before(self, reader: int, at: int, owner: int, positions: list[int]) -> None:
        """What must run before the statement at `at` of the reading notebook."""
        if at < self.notebooks[reader].end:
            self.first.setdefault((reader, at), set()).update((owner, each) for each in positions)
