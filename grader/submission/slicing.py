"""The slice of one exercise: selection chooses its statements, assembly orders them; runs none."""

from collections.abc import Mapping
from dataclasses import dataclass

from .assembly import Assembly
from .definitions import Standing
from .isolation import Unit
from .notebooks import Notebooks
from .selection import Selection, Tangled
from .statements import Broken


@dataclass(frozen=True)
class Slice:
    """What one exercise needs of a submission, in the order of execution."""

    exercise: str
    units: tuple[Unit, ...] = ()  # empty: it cannot be executed, and `broken` says why
    written: tuple[Unit, ...] = ()  # those of the units that the learner wrote, as they wrote them
    uses: tuple[str, ...] = ()  # the learner's other exercises in it
    absent: tuple[str, ...] = ()  # exercises that it names and the submission does not define
    broken: tuple[Broken, ...] = ()  # cells that do not parse and may have held what it needs
    is_stub: bool = False  # what counts was never begun, unless in a cell of `broken`
    stands_alone: bool = True  # nothing else that was handed in can change what it does


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
    assembly = Assembly(selection, references)
    return Slice(
        exercise,
        units=assembly.units(),
        written=assembly.written(),
        uses=tuple(sorted(selection.uses)),
        absent=tuple(sorted(selection.absent)),
        broken=tuple(dict.fromkeys([*spoiled, *selection.broken()])),
        is_stub=notebook.standing(exercise) is Standing.STUB,
        stands_alone=selection.stands_alone(),
    )
