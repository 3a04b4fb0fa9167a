"""Tells a notebook that was saved as JSON from data, by how it begins and ends; parses neither."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from .file_names import JSON, NOTEBOOK, is_data, is_hidden
from .files import Refused, ends_of, walk

_BEGIN = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*+\{\s*+"(?:cells|worksheets|metadata|nbformat(?:_minor)?)"'
)
# Which Jupyter writes last and first, and others the other way round.
_BOTH = (re.compile(rb'"nbformat"'), re.compile(rb'"(?:cells|worksheets)"'))


def called(path: Path, name: str = "") -> str:
    """What a file (called `name` in what was handed in) is read as: `04.json` as `04.ipynb.json`.

    So a browser would have called it. What is no notebook keeps its name.
    """
    name = name or path.name
    begin, end = ends_of(path) if may_be_notebook(name) else (b"", b"")
    is_one = _BEGIN.match(begin) and all(each.search(begin + end) for each in _BOTH)
    return as_notebook(name) if is_one else name


def walk_as_read(folder: Path) -> Iterator[tuple[str, Path | Refused]]:
    """What `walk` gives, called as it is read."""
    for name, where in walk(folder):
        yield (name if isinstance(where, Refused) else called(where, name)), where


def as_notebook(name: str) -> str:
    """A name by which a notebook is read that was saved as JSON."""
    return os.path.splitext(name)[0] + NOTEBOOK + JSON


def may_be_notebook(name: str) -> bool:
    """Whether a file of this name is data, or a notebook by what is in it."""
    return name.lower().endswith(JSON) and is_data(name) and not is_hidden(name)
