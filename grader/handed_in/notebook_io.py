"""Reads the code cells out of an untrusted notebook or script; must not run or parse any of it."""

import codecs
import io
import json
import re
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .file_names import printable
from .files import Refused

MAX_CELL_CHARS = 200_000  # of code: lines of comment count for little
MAX_CODE_CHARS = 1_000_000  # of one submission; the solved course with its `kit` has 400,000
MAX_CELLS = 5_000
# What json makes of a byte at most: `[]` is 3 bytes in a list and 64 in memory.
_MAX_CONTAINERS = 1_500_000
_MAX_VALUES = 4_000_000

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16's, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Means something else in UTF-7, in escapes, and in what names of hosts are written in.
_PLAIN = b"'\\x41\\u0041+AEE-'.xn--bcher-kva.\n"
_CONFLICT = re.compile(r"^<{7} ", re.M)
_ZIP = b"PK\3\4"
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class Cell:
    """One code cell as the learner wrote it; `label` is how messages call it."""

    source: str
    label: str  # "chapter.ipynb, cell 7", counted over all cells from 1; or "answer.py"
    notebook: str  # the file's name inside the submission
    index: int  # the cell's place in the notebook, from 0


def file_of(label: str) -> str:
    """The file that a cell's label names."""
    return label.rpartition(", cell ")[0] or label


def code_size(source: str) -> int:
    """Characters of code. A notebook that was saved as a script is prose for the most part.

    Prose takes little time to read: its lines count for a tenth. They may stand in a text, which
    takes as long as code: all together counts for a third at least.
    """
    comments = sum(len(line) for line in source.splitlines() if line.lstrip()[:1] == "#")
    return max(len(source) - comments * 9 // 10, len(source) // 3)


@dataclass(frozen=True)
class Read:
    """What one file held, and what was wrong with it in words to act on."""

    cells: tuple[Cell, ...]
    problems: tuple[str, ...]
    texts: tuple[Cell, ...] = ()  # the cells that hold no code


def read_script(name: str, content: bytes) -> Read:
    """A `.py` file is one cell, which may hold a whole course."""
    text, problems = decoded(name, content)
    if code_size(text) > MAX_CODE_CHARS:
        return Read((), (*problems, _too_long(printable(name), MAX_CODE_CHARS)))
    return Read((Cell(_lines_of(text), printable(name), name, 0),), tuple(problems))


def read_notebook(name: str, content: bytes) -> Read:
    """The code cells of a notebook of any format since version 2."""
    shown = printable(name)
    if content.startswith(_ZIP):
        return Read(
            (), (f"{shown}: is a zip by what is in it; call it .zip, and hand it in again",)
        )
    text, problems = decoded(name, content)
    try:
        found = _cells_of(_parse_json(text))
    except Refused as error:
        return Read((), (*problems, f"{shown}: {error}"))
    return read_cells(name, found, problems)


def read_cells(name: str, found: Iterable[Any], problems: list[str]) -> Read:
    """The code cells of those in a file, in which so much was wrong already; within bounds."""
    shown = printable(name)
    cells = []
    texts = []
    for index, cell in enumerate(found):
        label = f"{shown}, cell {index + 1}"
        if index >= MAX_CELLS:
            problems.append(f"{shown}: only the first {MAX_CELLS:,} cells are read")
            break
        if not isinstance(cell, dict):
            problems.append(f"{label}: is no cell but {_kind(cell)}; it is left out")
            continue
        if cell.get("cell_type") != "code":
            texts.append(Cell(_source_of(cell) or "", label, name, index))
            continue
        source = _source_of(cell)
        if source is None:
            problems.append(f"{label}: its source is no text; it is left out")
        elif code_size(source) > MAX_CELL_CHARS:
            problems.append(_too_long(label))
        else:
            if _SURROGATE.search(source):
                problems.append(f"{label}: holds characters that are no text; they read as �")
                source = _SURROGATE.sub("�", source)
            cells.append(Cell(_lines_of(source), label, name, index))
    return Read(tuple(cells), tuple(problems), tuple(texts))


def decoded(name: str, content: bytes) -> tuple[str, list[str]]:
    """A file's text, in whatever encoding it says or looks like, and what was wrong with that."""
    found = ((bom, encoding) for bom, encoding in _BOMS if content.startswith(bom))
    bom, encoding = next(found, (b"", _declared(content)))
    content = content[len(bom) :]
    problems = []
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        problems.append("some letters are not UTF-8 and read as �; save it as UTF-8")
    if "\0" in text:
        text = text.replace("\0", "")
        problems.append("holds NUL, which is no text and left out; look whether the rest is whole")
    return text, [f"{printable(name)}: {problem}" for problem in problems]


def _declared(content: bytes) -> str:
    """The encoding that a script's first lines declare, as Python reads it; else UTF-8.

    One that does not leave ASCII as it is does not count: none is meant for files, and some take
    hours over a megabyte or raise what no decoder should.
    """
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(content[:1000]).readline)[0]
        return encoding if _PLAIN.decode(encoding).encode("utf-8") == _PLAIN else "utf-8"
    except (SyntaxError, ValueError, LookupError):  # of which UnicodeError is one
        return "utf-8"


def _parse_json(text: str) -> Any:
    if text.count("[") + text.count("{") > _MAX_CONTAINERS or text.count(",") > _MAX_VALUES:
        raise Refused("holds too much beside its code; clear the outputs and save it again")
    try:
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            raise
        except ValueError:  # a number of thousands of digits, which no cell needs
            return json.loads(text, parse_int=lambda _: 0)
    except json.JSONDecodeError as error:
        if not text.strip():
            raise Refused("is empty; save it and hand it in again") from None
        if conflict := _CONFLICT.search(text):
            line = text.count("\n", 0, conflict.start()) + 1
            message = f"holds both sides of a conflict of git from line {line} on; keep one of them"
            raise Refused(f"{message}, and hand it in again") from None
        raise Refused(
            f"is no notebook: not JSON at line {error.lineno}, column {error.colno} ({error.msg}); "
            "part of it may be missing: hand it in again, and look whether Jupyter opens it"
        ) from None
    except RecursionError:
        raise Refused("is no notebook: its JSON is nested too deeply") from None


def _cells_of(notebook: Any) -> list[Any]:
    """The list of cells: at the top since format 4, in worksheets before."""
    if not isinstance(notebook, dict):
        raise Refused(f"is no notebook but {_kind(notebook)}")
    sheets = notebook.get("worksheets")
    if "cells" in notebook or not isinstance(sheets, list):
        sheets = [notebook]
    cells: list[Any] = []
    for sheet in sheets:
        found = sheet.get("cells") if isinstance(sheet, dict) else None
        if not isinstance(found, list):
            raise Refused("is no notebook: it has no list of cells")
        cells += found
    return cells


def _source_of(cell: dict[str, Any]) -> str | None:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, str):
        return source
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return None


def _lines_of(text: str) -> str:
    """With newlines as Python's own tokenizer sees them, so that all count lines alike."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "nothing" if value is None else "a number")


def _too_long(label: str, most: int = MAX_CELL_CHARS) -> str:
    return f"{label}: has more than {most:,} characters of code; it is left out"
