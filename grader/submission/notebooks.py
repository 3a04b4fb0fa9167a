"""Links the notebooks of one submission: which of them an exercise comes from; runs nothing."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any

from ..handed_in.file_names import NOTEBOOK, SCRIPT, is_beside
from .definitions import Notebook, Offers
from .searched import is_builtin, is_library, searched
from .statements import Broken

# Modules through which a learner's earlier exercises come into a later notebook.
_COURSE = ("kit", "solutions", "grader")


class Notebooks:
    """All notebooks and scripts of one submission.

    Each is a kernel of its own: a name means what the same notebook bound to it last. Exercises
    alone are shared: one that a notebook names without binding it, or imports from `kit.earlier`,
    is the learner's own from another notebook. Where several define it, answers come before
    stubs, stubs before imports of a ready-made one, all else before tests, notebooks that check
    it before those that need one quickly, what lies on top before what lies in folders below, where
    people keep old copies, and what another file imports before what none does. Of those left, the
    last one in order counts.
    """

    def __init__(
        self,
        notebooks: Sequence[Notebook],
        exercises: frozenset[str],
        in_data: Callable[[], Mapping[str, Collection[str]]] = dict,
    ) -> None:
        """`in_data` gives, by file, the names that data beside the code may give a meaning."""
        self._notebooks = notebooks
        self._in_data = in_data
        self.exercises = exercises
        self._modules: dict[str, list[int]] = {}  # by the last part of their names
        for index, notebook in enumerate(notebooks):  # of which one is a module for import_ipynb
            stem, dot, suffix = notebook.name.rpartition("/")[2].rpartition(".")
            if dot + suffix in (SCRIPT, NOTEBOOK):
                self._modules.setdefault(stem, []).append(index)
        for index, notebook in enumerate(notebooks):
            notebook.link(self._is_lent, exercises, partial(self._gives, index))

    @cached_property
    def modules(self) -> Collection[str]:
        """The names of modules that hold the learner's own code, as they are imported."""
        paths = (n.name.removesuffix(SCRIPT) for n in self._notebooks if n.name.endswith(SCRIPT))
        return {"earlier", *self._modules, *(part for path in paths for part in path.split("/"))}

    def __getitem__(self, index: int) -> Notebook:
        return self._notebooks[index]

    @cached_property
    def bound(self) -> Collection[str]:
        """What the code has a name for, or would have if all of it could be read."""
        broken = (each.names for n in self._notebooks for _, each in n.broken)
        return frozenset[str]().union(*(n.binds for n in self._notebooks), *broken)

    def home(self, exercise: str) -> int | None:
        """The notebook whose definition of an exercise counts."""
        (offers, *_), index = max(self._standings(exercise), default=((Offers.NOTHING,), 0))
        return index if offers is not Offers.NOTHING else None

    def rivals(self, exercise: str) -> list[int]:
        """Those that only their place in the order tells from the one that counts."""
        standings = self._standings(exercise)
        best, home = max(standings)
        return [index for standing, index in standings if standing == best and index != home]

    def _standings(self, exercise: str) -> list[tuple[tuple[Any, ...], int]]:
        """How much each notebook is worth for an exercise, and its place."""
        return [
            (
                (
                    *(n.standing(exercise), not is_beside(n.name), n.is_checked(exercise)),
                    *(-n.name.count("/"), (index, exercise) in self._taken),
                ),
                index,
            )
            for index, n in enumerate(self._notebooks)
        ]

    @cached_property
    def _taken(self) -> Collection[tuple[int, str]]:
        """The scripts that others import exercises from and do not write anew, with these."""
        imports = (
            (index, notebook, *way)
            for index, notebook in enumerate(self._notebooks)
            for statement in notebook.statements
            for way in statement.borrows.values()
        )
        return {
            (script, name)
            for index, notebook, module, name in imports
            if name in self.exercises
            and (script := self.lender(module, name, index)) is not None
            and notebook.standing(name) is not Offers.ANSWER
        }

    def place_of(self, exercise: str) -> Notebook | None:
        """The notebook in whose run an exercise may come to be, though no statement says so."""
        home = self.home(exercise)
        if home is None:
            return self._runs_to(exercise, lambda n: bool(n.mentioned([exercise])))
        return self._filled(exercise, home) or self[home]

    def may_fill(self, stub: str) -> bool:
        """Whether a stub may be more after a run: something else may be bound to its name."""
        home = self.home(stub)
        return home is not None and self._filled(stub, home) is not None

    def _filled(self, exercise: str, home: int) -> Notebook | None:
        if self[home].standing(exercise) is not Offers.STUB:
            return None
        return self._runs_to(exercise, lambda n: n.may_fill(exercise))

    def _runs_to(self, exercise: str, holds: Callable[[Notebook], bool]) -> Notebook | None:
        """The first that may bind what it does not name, where it or data that it reads `holds`."""
        for notebook in self._notebooks:
            if notebook.is_indirect and (holds(notebook) or self._is_read(exercise, notebook)):
                return notebook
        return None

    def _is_read(self, exercise: str, notebook: Notebook) -> bool:
        files = (file for file, names in self._in_data().items() if exercise in names)
        return any(file in source for file in files for source in notebook.sources)

    def lender(self, module: str, name: str, reader: int | None = None) -> int | None:
        """The file of this very submission that `from module import name` reads in another one.

        Of several of that name, the one with the path that is said, then the one where the reader
        looks first. What is called as a library is that library, unless Python would find the file.
        """
        of_name = self._modules.get(module.rpartition(".")[2], ())
        giving = [index for index in of_name if name in self[index].binds]
        if not giving:
            return None
        path, folder, places = module.strip(".").replace(".", "/"), "", dict[str, bool]()
        if reader is not None:
            folder = self[reader].name.rpartition("/")[0]
            places = self._searched(reader)

        def nearness(index: int) -> tuple[bool, int, bool, int]:
            own, _, suffix = self[index].name.rpartition(".")
            is_said, place = f"/{own}".endswith(f"/{path}"), own.rpartition("/")[0]
            order = 3 if places.get(place) else 2 if place == folder else place in places
            return is_said, order, suffix == SCRIPT[1:], index

        def is_found(index: int) -> bool:
            is_said, order, is_script, _ = nearness(index)
            is_near = bool(order) or "/" in path or "/" not in self[index].name
            return is_script and is_said and is_near and not is_builtin(module)

        found = filter(is_found, giving) if is_library(module) else giving
        return max(found, key=nearness, default=None)

    @cached_property
    def _searched(self) -> Callable[[int], dict[str, bool]]:
        """Where the code of a file looks for modules beside its own folder."""
        return cache(lambda i: searched(self[i].sources, self[i].name.rpartition("/")[0]))

    def is_shared(self, module: str, name: str) -> bool:
        """Whether `from module import name` stands for an exercise of the learner's own."""
        if name not in self.exercises:
            return False
        return is_course(module) or self.lender(module, name) is not None

    def spoiled(self, exercise: str) -> list[Broken]:
        """What kept a definition of the exercise from being: a cell that does not parse, a `del`.

        Not those that a later or better definition overrules.
        """
        home = self.home(exercise)
        is_answered = home is not None and self[home].standing(exercise) is Offers.ANSWER
        found = []
        for index, notebook in enumerate(self._notebooks):
            if is_answered and index != home:
                continue
            bound = notebook.definition(exercise)
            found += [
                broken
                for position, broken in notebook.broken
                if exercise in broken.names and (not bound or position > bound[0])
            ]
            if home is None and (removal := notebook.deleted(exercise)):
                message = f"{exercise} is deleted here, after its definition"
                found.append(Broken(removal.cell.label, removal.line, message))
        return found

    def _gives(self, reader: int, module: str, name: str) -> bool:
        lender = self.lender(module, name, reader)
        return lender is not None and lender != reader

    def _is_lent(self, module: str, name: str, bound: str) -> bool:
        return module != "" and bound == name and self.is_shared(module, name)


def is_course(module: str) -> bool:
    """Whether a module is the course's own, which no worker holds."""
    return module.partition(".")[0] in _COURSE
