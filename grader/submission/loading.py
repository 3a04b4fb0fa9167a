"""Reads one submission, whatever its form, and hands out slices of it; runs none of its code."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from ..handed_in.as_json import called
from ..handed_in.file_names import is_archive, is_data, suffix_of, text_of
from ..handed_in.gathering import Gathering
from ..handed_in.notebook_io import Cell
from .definitions import Notebook, Offers
from .doubles import answered_twice, copies
from .near_names import NearName, nearly_named
from .no_exercise import nothing_else, nothing_named
from .notebooks import Notebooks
from .other_names import other_names
from .out_of_reach import out_of_reach
from .slicing import Slice, cut
from .statements import Broken
from .whole_run import WholeRun, in_data, whole_run


@dataclass(frozen=True)
class Submission:
    """What one learner handed in: code cells, and what could not be read in words to act on.

    Notebooks come in name order, then scripts, then small data files, each of them as one cell; a
    notebook's cells in their order.
    """

    learner: str
    exercises: frozenset[str]  # the names that the course asks for
    cells: tuple[Cell, ...] = ()
    problems: tuple[str, ...] = ()

    def slice(self, name: str, replace: Mapping[str, str] | None = None) -> Slice | None:
        """What one exercise needs; None where it is missing.

        For exercises in `replace` that it uses, the given source (complete with its own imports)
        stands in for the learner's own.
        """
        return cut(self._notebooks, name, replace) if replace else self._own_slice(name)

    @cached_property
    def _own_slice(self) -> Callable[[str], Slice | None]:
        """Each is cut once: what keys are made of is marked afterwards."""
        return cache(lambda name: cut(self._notebooks, name, {}))

    @cached_property
    def nearly_named(self) -> Callable[[str], NearName | None]:
        """A definition that is nearly called like this exercise, and like no other."""
        return cache(lambda name: nearly_named(name, self.parsed, self.exercises))

    def stands_alone(self, name: str) -> bool:
        """Whether nothing beside an exercise's slice can change what became of it."""
        cut = self.slice(name)
        if cut is None:
            return self._notebooks.place_of(name) is None
        return not self._notebooks.may_fill(name) if cut.is_stub else cut.stands_alone

    def whole_run(
        self, name: str, lent: Mapping[str, str], replaced: Sequence[str] = ()
    ) -> WholeRun | None:
        """The run of the whole notebook that an exercise comes from; None where there is none.

        `lent` holds sources of references, for exercises that the submission lacks. Those of
        `replaced` stand in for the learner's own as well.
        """
        notebook = self._notebooks.place_of(name)
        if notebook is None:
            return None
        own: dict[str, Slice] = {}
        for other in notebook.mentioned(self.exercises):
            if notebook.standing(other) is Offers.ANSWER:
                continue
            cut = self.slice(other)
            absent = {each: lent[each] for each in (cut.absent if cut else ()) if each in lent}
            cut = self.slice(other, absent) if absent else cut
            if cut is not None and cut.units and not cut.is_stub:
                own[other] = cut
        return whole_run(self.cells, notebook.name, own, lent, replaced, self._in_data)

    def doubtful(self, texts: Sequence[Cell]) -> list[str]:
        """What is answered twice, or where no code sees it, in words to act on."""
        code = [cell for cell in self.cells if not is_data(cell.notebook)]
        data = [cell for cell in self.cells if is_data(cell.notebook)]
        files = [*dict.fromkeys(cell.notebook for cell in code)]
        several = len(files) > 1
        twice = answered_twice(self._notebooks, copies(files), self.exercises) if several else []
        aside = out_of_reach(code, texts, data, self.exercises, lambda: self._notebooks.bound)
        other = other_names(code, self.exercises, self.slice, self.stands_alone)
        return [*twice, *aside, *other]

    @cached_property
    def why_nothing(self) -> str:
        """Why there is nothing in it that could be any exercise, and what to do; else empty."""
        cuts = [self.slice(each) for each in self.exercises]
        own = (unit.code for cut in cuts if cut for unit in cut.written)
        if not all(code.startswith(("import ", "from ")) for code in own):
            return ""
        if broken := next((cut.broken[0] for cut in cuts if cut and cut.broken), None):
            return nothing_else(broken)
        if not all(map(self.stands_alone, self.exercises)):
            return ""
        return nothing_named(self.broken, any(each.statements for each in self.parsed))

    @cached_property
    def broken(self) -> tuple[Broken, ...]:
        """The cells that do not parse."""
        return tuple(broken for notebook in self.parsed for _, broken in notebook.broken)

    @cached_property
    def parsed(self) -> list[Notebook]:
        """The statements of each file of code."""
        by_notebook: dict[str, list[Cell]] = {}
        for cell in (each for each in self.cells if not is_data(each.notebook)):
            by_notebook.setdefault(cell.notebook, []).append(cell)
        return [Notebook(name, cells) for name, cells in by_notebook.items()]

    @cached_property
    def _notebooks(self) -> Notebooks:
        return Notebooks(self.parsed, self.exercises, lambda: self._in_data)

    @cached_property
    def _in_data(self) -> Mapping[str, Collection[str]]:
        return in_data(self.cells, self.exercises)


def load_submission(
    path: Path | str, exercises: Iterable[str], learner: str | None = None
) -> Submission:
    """Read a notebook, a script, a folder or an archive; whatever is in it, this does not raise.

    `learner` is the name to mark under; by default the file's stem or the folder's name.
    """
    path = Path(path)
    is_folder = os.path.isdir(path)
    if learner is None:
        learner = text_of(path.stem if not is_folder and suffix_of(called(path)) else path.name)
    loading = Gathering()
    if is_folder and not path.is_symlink():
        loading.folder(path)
    elif is_archive(path.name):
        loading.archive_at(path, "")
    else:
        loading.file(path.name, path)
    found = Submission(learner, frozenset(exercises), *loading.finish())
    doubts = found.doubtful(loading.texts)
    return replace(found, problems=(*found.problems, *doubts)) if doubts else found
