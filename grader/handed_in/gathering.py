"""Gathers the cells of one submission from its files, folders and archives, within bounds.

It runs and parses no code.
"""

import os
import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from . import written_out
from .archive import MAX_ARCHIVE_BYTES, read_archive
from .as_json import called, walk_as_read
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
    without_added,
)
from .files import MAX_DATA_BYTES, ParseQuota, Refused, read_file
from .notebook_io import MAX_CODE_CHARS, Cell, Read, code_size, read_notebook, read_script
from .packed import lean, most_of
from .why_nothing import like_work, nothing

_MAX_PROBLEMS = 100
_MAX_NESTED = 3  # archives around a file
_MOST_ASIDE = 5_000_000  # bytes of prose and pages that are looked through beside code
_READERS = {NOTEBOOK: read_notebook, **written_out.READERS}


@dataclass
class Gathering:
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
        for name, where in sorted(found, key=lambda item: (is_data(item[0]), *rank(item[0]))):
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
        is_all = not any(map(_holds_code, (c for read in self._read.values() for c in read.cells)))
        if is_all or sum(map(len, self._aside.values())) <= _MOST_ASIDE:
            for name, content in self._aside.items():
                found = written_out.ELSE[suffix_of(name)](name, content)
                self._read[name] = found if is_all else Read((), (), found.cells)
        cells: list[Cell] = []
        left = MAX_CODE_CHARS
        for name in sorted(self._read, key=place):
            if left < 0:
                break
            self.problems += self._read[name].problems
            self.texts += self._read[name].texts
            for cell in self._cells_of(name):
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

    def _cells_of(self, name: str) -> Iterator[Cell]:
        """Those of one file; where it includes another, that one's."""
        for cell in self._read[name].cells:
            if other := written_out.included(cell.source):
                other = posixpath.normpath(posixpath.join(posixpath.dirname(name), other))
            within = self._read[other].cells if other in self._read else (cell,)
            yield from (replace(each, notebook=name) for each in within)

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
