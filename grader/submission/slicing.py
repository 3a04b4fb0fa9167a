"""The slice of one exercise: selection chooses its statements, this orders them; runs none."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from .definitions import Offers
from .isolation import Unit, apart
from .notebooks import Notebooks
from .selection import Place, Selection, Tangled
from .statements import Broken, Statement

REFERENCE = "reference"
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Slice:
    """What one exercise needs of a submission, in the order of execution."""

    exercise: str
    units: tuple[Unit, ...] = ()  # empty: it cannot be executed, and `broken` says why
    written: tuple[Unit, ...] = ()  # those of the units that the learner wrote, as they wrote them
    ties: tuple[str, ...] = ()  # the cells whose imports tie the learner's files together
    uses: tuple[str, ...] = ()  # the learner's other exercises in it
    absent: tuple[str, ...] = ()  # exercises that it names and the submission does not define
    broken: tuple[Broken, ...] = ()  # cells that do not parse and may have held what it needs
    is_stub: bool = False  # what counts was never begun, unless in a cell of `broken`
    stands_alone: bool = True  # nothing else that was handed in can change what it does

    @property
    def lends(self) -> bool:
        """Whether code that is not the learner's runs beside theirs."""
        return any(unit.label == REFERENCE for unit in self.units)


def cut(notebooks: Notebooks, exercise: str, references: Mapping[str, str]) -> Slice | None:
    """The slice of one exercise; None where the submission does not try to define it.

    For the exercises in `references` that it uses, the given source stands in for the learner's.
    """
    home = notebooks.home(exercise)
    spoiled = notebooks.spoiled(exercise)
    if home is None:
        return Slice(exercise, broken=tuple(spoiled)) if spoiled else None
    notebook = notebooks[home]
    try:
        selection = Selection(notebooks, exercise, home, references)
    except Tangled:
        definition = notebook.statements[notebook.definition(exercise)[0]]
        message = f"{exercise} depends on too many other definitions to be cut out"
        broken = Broken(definition.cell.label, definition.line, message)
        return Slice(exercise, broken=(broken,))
    assembly = _Assembly(selection, references)
    return Slice(
        exercise,
        units=assembly.units(),
        written=assembly.written(),
        ties=tuple(sorted(notebooks[i].statements[p].cell.label for i, p in selection.ties)),
        uses=tuple(sorted(selection.uses)),
        absent=tuple(sorted(selection.absent)),
        broken=tuple(dict.fromkeys([*spoiled, *selection.broken()])),
        is_stub=notebook.standing(exercise) is Offers.STUB,
        stands_alone=selection.stands_alone(),
    )


class _Assembly:
    """The text of a selection: as in a run from top to bottom, but what is needed comes first."""

    def __init__(self, selection: Selection, replace: Mapping[str, str]) -> None:
        self._selection = selection
        self._notebooks = selection.notebooks
        self._replace = replace
        self._references = sorted(selection.references)

    def written(self) -> tuple[Unit, ...]:
        """What the learner wrote."""
        return tuple(unit for place in self._order() for unit in self._units_of(place))

    def units(self) -> tuple[Unit, ...]:
        """What to execute: references first, then the learner's units.

        A reference has a namespace of its own. So has each other notebook where it gives a name
        another meaning than the exercise's own notebook does.
        """
        mixed: list[Unit] = []
        by_notebook: dict[int, list[Unit]] = {index: [] for index in self._notebook_order()}
        for place in self._order():
            bound = self._statement(place).names.binds
            overwritten = [name for name in self._references if name in bound]
            units = [*self._units_of(place), *map(self._reference, overwritten)]
            mixed += units
            by_notebook[place[0]] += units
        if self._selection.crossings and self._collide():
            mixed = by_notebook.pop(self._selection.home)
            others = [self._apart(index, units) for index, units in by_notebook.items() if units]
            mixed = [*others, *mixed]
        return (*map(self._reference, self._references), *mixed)

    def _order(self) -> list[Place]:
        places = self._selection.needed | set(self._selection.aliases)
        ranks = {index: rank for rank, index in enumerate(self._notebook_order())}

        def by_rank(some: Iterable[Place]) -> list[Place]:
            return sorted(some, key=lambda place: (ranks[place[0]], place[1]))

        first = self._selection.first
        return _after_needs(by_rank(places), lambda p: by_rank(places & first.get(p, set())))

    def _notebook_order(self) -> list[int]:
        """Notebooks from which others take something come first, the exercise's own last."""
        crossings = self._selection.crossings
        return _after_needs(
            [self._selection.home],
            lambda index: sorted({owner for reader, owner, _ in crossings if reader == index}),
        )

    def _collide(self) -> bool:
        """Whether two notebooks give one name two meanings."""
        codes: dict[tuple[str, int], set[str]] = defaultdict(set)
        for place in self._selection.needed:
            statement = self._statement(place)
            for name in statement.names.binds:
                codes[name, place[0]].add(statement.code)
        meanings = {(name, frozenset(found)) for (name, _), found in codes.items()}
        return len(meanings) > len({name for name, _ in meanings})

    def _apart(self, index: int, units: list[Unit]) -> Unit:
        crossings = self._selection.crossings
        take = {name for reader, _, name in crossings if reader == index}
        give = {name for _, owner, name in crossings if owner == index}
        return apart(units, units[0].label, take.union(self._references), give)

    def _reference(self, name: str) -> Unit:
        source = Unit(self._replace[name], REFERENCE, 1)
        return apart([source], REFERENCE, take=(), give=[name])

    def _units_of(self, place: Place) -> Iterator[Unit]:
        statement = self._statement(place)
        label, line = statement.cell.label, statement.line
        if place in self._selection.needed and (code := self._without_shared(statement)):
            yield Unit(code, label, line)
        for bound, name in sorted(self._selection.aliases.get(place, ())):
            yield Unit(f"{bound} = {name}", label, line)

    def _without_shared(self, statement: Statement) -> str:
        """The statement; if it is an import, without the exercises that are the learner's own."""
        borrows = statement.borrows
        kept = [
            f"from {module} import {name} as {bound}"
            for bound, (module, name) in borrows.items()
            if not self._notebooks.is_shared(module, name)
        ]
        return statement.code if len(kept) == len(borrows) else "\n".join(kept)

    def _statement(self, place: Place) -> Statement:
        return self._notebooks[place[0]].statements[place[1]]


def _after_needs(wanted: Iterable[T], needs: Callable[[T], list[T]]) -> list[T]:
    """Each of these once, in their order but for what each needs, which comes before it."""
    ordered: list[T] = []
    entered: set[T] = set()
    stack = [(each, False) for each in reversed([*wanted])]
    while stack:
        each, is_ready = stack.pop()
        if is_ready:
            ordered.append(each)
        elif each not in entered:
            entered.add(each)
            stack.append((each, True))
            stack += [(need, False) for need in reversed(needs(each))]
    return ordered
