"""Reads the code cells out of a notebook that was saved as Markdown; must not run any of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .notebook_io import Read, decoded, read_cells

# What says that a Markdown file is a notebook: any other one is prose, with examples maybe.
_HEADER = ("jupytext:", "kernelspec:", "jupyter:")
_HEADER_CHARS = 5_000
# jupytext writes ```python, MyST ```{code-cell} python, Quarto and R Markdown ```{python}.
_OPENED = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[ \t]*"
    r"(?:\{code-cell\}.*|\{python\b.*|(?:python|ipython|py)[23]?(?P<more>[ \t].*)?)$"
)
_OFF = ".noeval"
_OPTION = re.compile(r":[\w-]+:")  # of MyST, in front of the code


def read_markdown(name: str, content: bytes) -> Read:
    """The code cells of a Markdown notebook; none, and no problem, of any other Markdown file."""
    text, problems = decoded(name, content)
    first, *header = text[:_HEADER_CHARS].split("\n")
    is_marked = first.rstrip() == "---" and any(line.startswith(_HEADER) for line in header)
    if name.lower().endswith(".md") and not is_marked:
        return Read((), ())
    cells = ({"cell_type": "code", "source": source} for source in _sources(text))
    return read_cells(name, cells, problems)


def _sources(text: str) -> Iterator[str]:
    """What stands between fences that are for Python."""
    lines = iter(text.splitlines())
    for line in lines:
        opened = _OPENED.match(line)
        if opened is None:
            continue
        code: list[str] = []
        for inner in lines:
            if inner.rstrip() == opened["fence"]:
                break
            if code or not _OPTION.match(inner):
                code.append(inner)
        if _OFF not in (opened["more"] or ""):
            yield "\n".join(code)
