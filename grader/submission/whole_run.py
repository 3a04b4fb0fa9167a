"""Prepares a whole notebook to be run as its author ran it; runs none of it.

The second way to an exercise, where its slice does not pass.
"""

import json
import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from ..handed_in.file_names import is_data
from ..handed_in.notebook_io import Cell
from .isolation import Unit
from .kept import kept
from .magics import runnable
from .parsing import parsed, parts_of
from .slicing import REFERENCE, Slice
from .standing_alone import may_bind

# Seconds of the processor: for one statement, for all but the imports together, for one import.
SECONDS = {"statement": 0.5, "all": 2.5, "import": 5.0}
_MAX_CHARS = 2_000_000  # the solved course with its `kit` has 600,000


@dataclass(frozen=True)
class WholeRun:
    """One notebook or script, from its first cell to its last, and what lies beside it."""

    notebook: str
    cells: tuple[Unit, ...]
    files: Mapping[str, str]  # what else was handed in: path, text
    earlier: Mapping[str, tuple[Unit, ...]]  # what `kit.earlier` gives, by exercise
    replaced: tuple[str, ...]  # exercises that are the reference's, whatever the notebook defines
    exercises: tuple[str, ...]  # those that the notebook names
    without: tuple[str, ...] = ()  # ready-made functions that raise while it is run

    @property
    def lends(self) -> bool:
        """Whether code that is not the learner's runs beside theirs."""
        return any(unit.label == REFERENCE for units in self.earlier.values() for unit in units)

    @property
    def written(self) -> tuple[Unit, ...]:
        """What of it the learner wrote."""
        earlier = (unit for units in self.earlier.values() for unit in units)
        scripts = (Unit(text, name, 1) for name, text in self.files.items() if name.endswith(".py"))
        return (*self.cells, *scripts, *(unit for unit in earlier if unit.label != REFERENCE))

    def payload(self) -> dict[str, object]:
        """What a worker's `run` is asked with."""

        def rows(units: Iterable[Unit]) -> list[dict[str, object]]:
            return [dict(vars(unit)) for unit in units]

        return {
            "cells": [{**row, "ends": self.notebook.endswith(".py")} for row in rows(self.cells)],
            "files": dict(self.files),
            "home": posixpath.dirname(self.notebook),
            "exercises": list(self.exercises),
            "earlier": {name: rows(units) for name, units in self.earlier.items()},
            "replaced": list(self.replaced),
            "seconds": dict(SECONDS),
            "without": list(self.without),
        }


def whole_run(
    cells: Sequence[Cell],
    notebook: str,
    slices: Mapping[str, Slice],
    lent: Mapping[str, str],
    replaced: Sequence[str],
    data: Mapping[str, Collection[str]],
) -> WholeRun | None:
    """The run of one notebook; None where it is too long to be tried.

    `slices` are the learner's own exercises of other notebooks, `lent` sources of references, and
    `data` what `in_data` gives.
    """
    own = [part for cell in cells if cell.notebook == notebook for part in parts_of(cell)]
    files = _beside(tuple(cells), notebook)
    units = tuple(Unit(_as_run(cell.source), cell.label, 1) for cell in own)
    earlier = {name: cut.units for name, cut in slices.items() if name not in replaced}
    for name, source in lent.items():
        if name in replaced or name not in earlier:
            earlier[name] = (Unit(source, REFERENCE, 1),)
    everything = chain(units, *earlier.values())
    size = sum(len(unit.code) for unit in everything) + sum(map(len, files.values()))
    if size > _MAX_CHARS:
        return None
    text = "\n".join(unit.code for unit in units)
    named = {*re.findall(r"\w+", text), *chain.from_iterable(data.values())}
    exercises = tuple(sorted(named & {*slices, *lent, *replaced}))
    return WholeRun(notebook, units, files, earlier, tuple(replaced), exercises)


def in_data(cells: Iterable[Cell], exercises: frozenset[str]) -> dict[str, set[str]]:
    """The exercises that code may read from data files, by the names of these."""
    found: dict[str, set[str]] = {}
    for cell in cells:
        if is_data(cell.notebook):
            names = exercises & may_bind([cell.source]).keys()
            found.setdefault(posixpath.basename(cell.notebook), set()).update(names)
    return found


@lru_cache(1)  # the exercises of one notebook are asked for one after the other
def _beside(cells: tuple[Cell, ...], notebook: str) -> Mapping[str, str]:
    """The submission's other files, as code finds them: notebooks with their code cells alone."""
    files: dict[str, str] = {}
    others: dict[str, list[dict[str, object]]] = {}
    for cell in cells:
        if cell.notebook.endswith(".ipynb"):
            row: dict[str, object] = {"cell_type": "code", "metadata": {}, "outputs": []}
            others.setdefault(cell.notebook, []).append({**row, "source": _as_run(cell.source)})
        elif cell.notebook != notebook or "/" in notebook:  # a part of a package is there itself
            files[cell.notebook] = cell.source
    for name, rows in others.items():
        content = {"cells": rows, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        files[name] = json.dumps(content)
    return files


@kept
def _as_run(source: str) -> str:
    """A cell as Python, where a kernel would understand more than Python does."""
    return source if parsed(source) else runnable(source)
