"""Gathers the code that an exercise needs, from what this kernel has run and what is saved.

What was run comes first; for an exercise that was not run here, the saved notebooks stand in.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..candidate.records import Verdict
from ..curriculum.syllabus import syllabus
from ..submission import Cell, NearName, Submission, load_submission
from ..worker.namespace import cell_number, running_shell
from .garbage import without_collecting
from .own_files import KIT, belonging
from .reading import file, label
from .saved_work import saved_work

_KERNEL = "this notebook"


def cells_for(exercise: str, value: Any) -> tuple[Cell, ...]:
    """The cells that one exercise, those that it may call and those beside it are defined in."""
    folder, wanted = Path.cwd(), _wanted(exercise)
    with without_collecting():
        run = tuple(_run_cells(exercise, value))
        beside = belonging(run, folder)
        here = _submission((*beside, *run))
        saved = [name for name in wanted if here.slice(name) is None]
        is_used = saved and any(folder.glob("*.ipynb"))  # else it is no place where a learner works
        found = _parts(saved_work(folder), saved) if is_used else ()
        # What was run may name what is saved, and under another name.
        parts = _parts(_submission((*found, *here.cells)), wanted)
        return (*(cell for cell in beside if cell not in parts), *parts)


def saved_cells_for(exercise: str, saved: Submission) -> tuple[Cell, ...]:
    """The same of what is saved alone; where more may change it, all but the course's own `kit`."""
    wanted = _wanted(exercise)
    if all(map(saved.stands_alone, wanted)):
        return _parts(saved, wanted)
    return tuple(cell for cell in saved.cells if KIT not in cell.notebook.split("/"))


def _wanted(exercise: str) -> dict[str, None]:
    needed = syllabus().needs(exercise)
    return dict.fromkeys((*needed, *syllabus()[exercise].beside, exercise))


def nearly_named(exercise: str, value: Any, newer: bool = False) -> NearName | None:
    """A definition of this kernel that is nearly called like the exercise.

    `newer`: than the object itself, where that is of a cell.
    """
    first = cell_number(file(value)) if newer else None
    if newer and first is None:
        return None
    cells = (cell for cell in _run_cells(exercise, value) if cell.index > (first or -1))
    return _submission(cells).nearly_named(exercise)


def saved_in(name: str, exercise: Any) -> str:
    """Where an exercise comes from that `kit.earlier` took from a saved notebook, in words."""
    place = label(file(exercise))
    if place is None or ".ipynb, cell " not in place:
        return ""
    return f"This is your {name} as it is saved in {place}."


def meant(name: str, exercise: Any, verdict: Verdict) -> str:
    """What to say where a newer cell defines something that is nearly called so."""
    near = None if verdict is Verdict.PASSED else nearly_named(name, exercise, newer=True)
    if near is None:
        return ""
    return (
        f"{near.label} defines `{near.name}`: did you mean {name}? Judged here is the older {name}."
    )


def _parts(submission: Submission, exercises: Iterable[str]) -> tuple[Cell, ...]:
    """The cells that hold a part of what these exercises need, as they were written."""
    labels: set[str] = set()
    for name in exercises:
        if (cut := submission.slice(name)) is not None:
            labels |= {unit.label for unit in cut.written} | {each.label for each in cut.broken}
            labels |= {*cut.ties}
    found = {(c.notebook, c.index): c for c in submission.cells if c.label in labels}
    return tuple(found[place] for place in sorted(found))


def _submission(cells: Iterable[Cell]) -> Submission:
    return Submission("you", frozenset(syllabus().names), tuple(cells))


def _run_cells(exercise: str, value: Any) -> Iterator[Cell]:
    """What was run in this kernel; of code that is not its, the file that it comes from."""
    shell, own = running_shell(), file(value)
    if shell is None:
        if own.endswith(".py"):
            yield from load_submission(own, syllabus().names).cells
        return
    last = cell_number(own)
    for number, source in enumerate(shell.history_manager.input_hist_parsed):
        cell = Cell(source, f"In [{number}]", _KERNEL, number)
        # A later cell may define it anew and have failed: the object that is checked is older.
        is_newer = last is not None and number > last
        if source and not (is_newer and _submission([cell]).slice(exercise) is not None):
            yield cell
