"""Reads one submission, whatever its form, and hands out slices of it; runs none of its code."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from .archive import read_zip
from .definitions import Notebook, Offers
from .files import (
    ARCHIVE,
    MARKDOWN,
    MAX_DATA_BYTES,
    NOTEBOOK,
    SCRIPT,
    ParseQuota,
    Refused,
    is_data,
    printable,
    read_file,
    suffix_of,
    text_of,
    walk,
)
from .markdown_notebooks import read_markdown
from .notebook_io import MAX_CODE_CHARS, Cell, Read, code_size, read_notebook, read_script
from .notebooks import Notebooks
from .slicing import Slice, cut
from .statements import Broken
from .whole_run import WholeRun, whole_run

_MAX_PROBLEMS = 100
_READERS = {NOTEBOOK: read_notebook, **dict.fromkeys(MARKDOWN, read_markdown)}
_ORDER = {**dict.fromkeys(_READERS, 0), SCRIPT: 1}  # data files after both


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
        if replace:
            return cut(self._notebooks, name, replace)
        if name not in self._slices:
            self._slices[name] = cut(self._notebooks, name, {})
        return self._slices[name]

    def stands_alone(self, name: str) -> bool:
        """Whether nothing beside an exercise's slice can change what became of it."""
        cut = self.slice(name)
        return self._notebooks.place_of(name) is None if cut is None else cut.stands_alone

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
        return whole_run(self.cells, notebook.name, own, lent, replaced)

    @cached_property
    def _slices(self) -> dict[str, Slice | None]:
        """Those cut so far; what keys are made of is marked afterwards."""
        return {}

    @cached_property
    def broken(self) -> tuple[Broken, ...]:
        """The cells that do not parse."""
        return tuple(broken for notebook in self._parsed for _, broken in notebook.broken)

    @cached_property
    def _parsed(self) -> list[Notebook]:
        by_notebook: dict[str, list[Cell]] = {}
        for cell in self.cells:
            if not is_data(cell.notebook):
                by_notebook.setdefault(cell.notebook, []).append(cell)
        return [Notebook(name, cells) for name, cells in by_notebook.items()]

    @cached_property
    def _notebooks(self) -> Notebooks:
        return Notebooks(self._parsed, self.exercises)


def load_submission(
    path: Path | str, exercises: Iterable[str], learner: str | None = None
) -> Submission:
    """Read a notebook, a script, a folder or a zip; whatever is in it, this does not raise.

    `learner` is the name to mark under; by default the file's stem or the folder's name.
    """
    path = Path(path)
    suffix = suffix_of(path.name)
    is_folder = os.path.isdir(path)
    if learner is None:
        learner = text_of(path.stem if suffix and not is_folder else path.name)
    loading = _Loading()
    if is_folder and not path.is_symlink():
        loading.folder(path)
    elif suffix == ARCHIVE:
        loading.archive(path, "")
    else:
        loading.file(path.name, path)
    return Submission(learner, frozenset(exercises), *loading.finish())


@dataclass
class _Loading:
    """Gathers the cells of one submission within bounds."""

    problems: list[str] = field(default_factory=list)
    _read: dict[str, Read] = field(default_factory=dict)
    _quota: ParseQuota = field(default_factory=ParseQuota)

    def folder(self, folder: Path) -> None:
        found = list(walk(folder))
        for name, where in sorted(found, key=lambda item: (is_data(item[0]), item[0])):
            if is_data(name) and isinstance(where, Path):
                with suppress(Refused):
                    self._quota.ask_for_data()
                    self._add(name, read_file(where, MAX_DATA_BYTES))
            elif isinstance(where, Refused):
                self._refuse(name, where)
            elif suffix_of(name) == ARCHIVE:
                self.archive(where, name + "/")
            else:
                self.file(name, where)

    def archive(self, path: Path, prefix: str) -> None:
        try:
            for name, content in read_zip(path, self._quota):
                if isinstance(content, Refused):
                    self._refuse(prefix + name, content)
                else:
                    self._add(prefix + name, content)
        except Refused as refused:
            self._refuse(path.name, refused)

    def file(self, name: str, path: Path) -> None:
        try:
            self._quota.ask()
            content = read_file(path)
            if not suffix_of(name):
                raise Refused("is neither a notebook, a .py file, a folder nor a .zip")
            self._quota.take(content)
            self._add(name, content)
        except Refused as refused:
            self._refuse(name, refused)

    def finish(self) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
        """All cells, notebooks before scripts, and all problems."""
        cells: list[Cell] = []
        left = MAX_CODE_CHARS
        for name in sorted(self._read, key=lambda name: (_ORDER.get(suffix_of(name), 2), name)):
            if left < 0:
                break
            self.problems += self._read[name].problems
            for cell in self._read[name].cells:
                left -= code_size(cell.source)
                if left < 0:
                    size = f"{MAX_CODE_CHARS:,} characters of code before this cell"
                    self.problems.append(
                        f"{cell.label}: has more than {size}; the rest is left out"
                    )
                    break
                cells.append(cell)
        more = len(self.problems) - _MAX_PROBLEMS
        rest = [f"and {more:,} more of these"] if more > 0 else []
        return tuple(cells), (*self.problems[:_MAX_PROBLEMS], *rest)

    def _add(self, name: str, content: bytes) -> None:
        read = _READERS.get(suffix_of(name), read_script)  # or any text
        self._read[name] = read(name, content)

    def _refuse(self, name: str, reason: Refused) -> None:
        self.problems.append(f"{printable(name)}: {reason}")
