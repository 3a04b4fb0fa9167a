"""Reads one submission, whatever its form, and hands out slices of it; runs none of its code."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from . import written_out
from .archive import MAX_ARCHIVE_BYTES, read_archive
from .as_json import called, walk_as_read
from .definitions import Notebook, Offers
from .doubles import answered_twice, copies
from .file_names import (
    NOTEBOOK,
    is_about,
    is_archive,
    is_data,
    is_hidden,
    place,
    printable,
    rank,
    suffix_of,
    text_of,
    without_added,
)
from .files import MAX_DATA_BYTES, ParseQuota, Refused, read_file
from .near_names import NearName, nearly_named
from .notebook_io import (
    MAX_CODE_CHARS,
    Cell,
    Read,
    code_size,
    read_notebook,
    read_script,
)
from .notebooks import Notebooks
from .other_names import other_names
from .out_of_reach import out_of_reach
from .packed import lean, most_of
from .slicing import Slice, cut
from .statements import Broken
from .whole_run import WholeRun, in_data, whole_run
from .why_nothing import like_work, nothing, nothing_else, nothing_named

_MAX_PROBLEMS = 100
_MAX_NESTED = 3  # archives around a file
_READERS = {NOTEBOOK: read_notebook, **written_out.READERS}


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
        alike = copies([*dict.fromkeys(cell.notebook for cell in code)])  # which parses nothing
        twice = answered_twice(self._notebooks, alike, self.exercises) if alike else []
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
    loading = _Loading()
    if is_folder and not path.is_symlink():
        loading.folder(path)
    elif is_archive(path.name):
        loading.archive_at(path, "")
    else:
        loading.file(path.name, path)
    found = Submission(learner, frozenset(exercises), *loading.finish())
    doubts = found.doubtful(loading.texts)
    return replace(found, problems=(*found.problems, *doubts)) if doubts else found


@dataclass
class _Loading:
    """Gathers the cells of one submission within bounds."""

    problems: list[str] = field(default_factory=list)
    texts: list[Cell] = field(default_factory=list)  # the cells that hold no code
    _read: dict[str, Read] = field(default_factory=dict)
    _aside: dict[str, bytes] = field(default_factory=dict)  # prose and pages, maybe with code
    _quota: ParseQuota = field(default_factory=ParseQuota)

    def folder(self, folder: Path) -> None:
        """All that lies in it: code, then data, then what other archives hold."""
        found = list(walk_as_read(folder))
        if not found:  # but for what tools keep, maybe, which a person may look at
            for name in sorted(os.listdir(folder)):
                self._quota.pass_over(name)
        order = {name: (is_data(name), *rank(name)) for name, _ in found}
        for name, where in sorted(found, key=lambda item: order[item[0]]):
            if isinstance(where, Path) and is_hidden(name):
                self._quota.pass_over(name)
            elif is_data(name) and isinstance(where, Path):
                try:
                    self._quota.ask_for_data()
                    self._add(name, read_file(where, MAX_DATA_BYTES))
                except Refused:
                    self._quota.pass_over(name)
            elif isinstance(where, Refused):
                self._refuse(name, where)
            elif is_archive(name):
                self.archive_at(where, name + "/")
            elif suffix_of(name):
                self.file(name, where)
            else:
                self._quota.pass_over(name)

    def archive_at(self, path: Path, prefix: str) -> None:
        """What is in an archive; `prefix` stands before the names in it."""
        name = prefix.removesuffix("/") or path.name
        try:
            self._quota.ask_for_archive()
            self._archive(name, read_file(path, MAX_ARCHIVE_BYTES), prefix, 1)
        except Refused as refused:
            self._refuse(name, refused)

    def _archive(self, name: str, packed: bytes, prefix: str, depth: int) -> None:
        """Raises Refused."""
        for inner, content in read_archive(name, packed, self._quota):
            if isinstance(content, Refused):
                self._refuse(prefix + inner, content)
            elif not is_archive(inner):
                self._add(prefix + inner, content)
            else:
                try:
                    if depth >= _MAX_NESTED:
                        raise Refused("is one archive in another too many; unpack it")
                    self._quota.ask_for_archive()
                    self._archive(inner, content, f"{prefix}{inner}/", depth + 1)
                except Refused as refused:
                    self._refuse(prefix + inner, refused)

    def file(self, name: str, path: Path) -> None:
        """A notebook, a script or a Markdown notebook."""
        try:
            name = called(path, name)
            self._quota.ask()
            content = read_file(path, most_of(name))
            if not (suffix := suffix_of(name)):
                raise Refused("is neither a notebook, a .py file, a folder nor an archive")
            if suffix == NOTEBOOK:
                self._quota.unpacked -= len(content)
                content = lean(content, self._quota)
                self._quota.files -= 1
            else:
                self._quota.take(content)
            self._add(name, content)
        except Refused as refused:
            self._refuse(name, refused)

    def finish(self) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
        """All cells, notebooks before scripts, and all problems."""
        if not any(map(_holds_code, (each for read in self._read.values() for each in read.cells))):
            for name, content in self._aside.items():
                self._read[name] = written_out.ELSE[suffix_of(name)](name, content)
        cells: list[Cell] = []
        left = MAX_CODE_CHARS
        for name in sorted(self._read, key=place):
            if left < 0:
                break
            self.problems += self._read[name].problems
            self.texts += self._read[name].texts
            for cell in self._read[name].cells:
                left -= code_size(cell.source)
                if left < 0:
                    size = f"{MAX_CODE_CHARS:,} characters of code before this cell"
                    self.problems.append(
                        f"{cell.label}: has more than {size}; the rest is left out"
                    )
                    break
                cells.append(cell)
        if not self.problems and not any(map(_holds_code, cells)):
            self.problems.append(nothing([*self._read, *self._quota.others]))
        self.problems += like_work(self._quota.like_work, self._read)
        more = len(self.problems) - _MAX_PROBLEMS
        rest = [f"and {more:,} more of these"] if more > 0 else []
        return tuple(cells), (*self.problems[:_MAX_PROBLEMS], *rest)

    def _add(self, name: str, content: bytes) -> None:
        own = without_added(name)
        name = name if own in self._read else own
        suffix = suffix_of(name)
        self._read[name] = _READERS.get(suffix, read_script)(name, content)  # or any text
        if suffix in written_out.ELSE and not self._read[name].cells and not is_about(name):
            self._aside[name] = content

    def _refuse(self, name: str, reason: Refused) -> None:
        self.problems.append(f"{printable(name)}: {reason}")


def _holds_code(cell: Cell) -> bool:
    return bool(cell.source.strip()) and not is_data(cell.notebook)
