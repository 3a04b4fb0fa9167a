"""Reads the code cells out of a notebook that was written out as Markdown, or shown on a page.

It must not run or parse any of them.
"""

import io
import re
from collections.abc import Iterator
from html.parser import HTMLParser

from .file_names import MARKDOWN, PAGES, printable
from .notebook_io import Read, decoded, read_cells

# What says that a Markdown file is a notebook: any other one is prose, with examples maybe.
_HEADER = ("jupytext:", "kernelspec:", "jupyter:")
_HEADER_CHARS = 5_000
_MYST = "{code-cell}"
_OPENED = re.compile(r"^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<language>[^`\n]*)$", re.M)
# jupytext writes ```python, MyST ```{code-cell} python, Quarto and R Markdown ```{python}.
_PYTHON = re.compile(r"\{code-cell\}|\{python\b|(?:python|ipython|py)[23]?(?![^ \t])")
# What says that code is shown alone: of jupytext, of R Markdown, and as options of Quarto and MyST.
_OFF = re.compile(r"\.noeval|\beval\s*=\s*F(?:ALSE)?\b")
_OFF_INSIDE = re.compile(r"#\|\s*eval:\s*(?:false|no)\b|:tags:.*\bskip-execution\b", re.IGNORECASE)
_SKIPPED = "skip-execution"
# As nbconvert calls the language of a cell on a page, and Quarto.
_OF_PYTHON = {"hl-python", "hl-ipython", "hl-ipython2", "hl-ipython3"}
_OF_QUARTO = {"sourceCode", "python"}
_EMBEDDED = re.compile(r"data:[\w/+.;=,-]+")  # pictures
_MOST_OF_A_PAGE = 2_000_000  # characters beside them, of which each may take 300 bytes
_FENCED = (
    "{}: is no notebook; as no other code was handed in, what it marks as Python's is read: look "
    "whether it is meant to count"
)
_INCLUDES = re.compile(r"(?:# )?\{\{< include +([\w./ -]+?) +>\}\}$")  # of Quarto
_OPTION = re.compile(r":[\w-]+:")  # of MyST, in front of the code


def read_markdown(name: str, content: bytes) -> Read:
    """The code cells of a Markdown notebook; none, and no problem, of any other Markdown file."""
    text, problems = decoded(name, content)
    is_plain = name.lower().endswith(".md")
    if is_plain and not _is_marked(text):
        return Read((), ())
    # Quarto and R Markdown run ```{python} alone, MyST ```{code-cell}; the rest is for reading.
    begins = "{"
    if is_plain:
        is_myst = any(each["language"].startswith(_MYST) for each in _OPENED.finditer(text))
        begins = _MYST if is_myst else ""
    return _cells(name, [*_sources(text, begins, indented_too=not is_plain)], problems)


def read_prose(name: str, content: bytes) -> Read:
    """What Markdown that is no notebook has between fences for Python, and a word on it."""
    text, problems = decoded(name, content)
    sources = [] if _is_marked(text) else [*_sources(text, "", indented_too=True)]
    problems += [_FENCED.format(printable(name))] if sources else []
    return _cells(name, sources, problems)


def read_page(name: str, content: bytes) -> Read:
    """The cells that a page shows as Python's, and a word on it; none of any other page."""
    text, problems = decoded(name, content)
    page, text = _Page(), _EMBEDDED.sub("", text)
    if len(text) > _MOST_OF_A_PAGE:
        problems.append(f"{printable(name)}: is too long a page; ask for the notebook")
        text = ""
    try:
        page.feed(text)
    except Exception as error:  # which the parser raises on some text that is no HTML
        problems.append(f"{printable(name)}: is no readable page ({printable(str(error))})")
    problems += [_FENCED.format(printable(name))] if page.cells else []
    return _cells(name, page.cells, problems)


def _nothing(name: str, content: bytes) -> Read:
    return Read((), ())


# By suffixes: what is read of such a file, and what of it where no other code was handed in.
READERS = {**dict.fromkeys(MARKDOWN, read_markdown), **dict.fromkeys(PAGES, _nothing)}
ELSE = {**dict.fromkeys(MARKDOWN, read_prose), **dict.fromkeys(PAGES, read_page)}


def included(source: str) -> str:
    """The file whose cells Quarto puts in place of this one; empty: none."""
    found = _INCLUDES.match(source)
    return found[1] if found else ""


def _is_marked(text: str) -> bool:
    first, *header = text[:_HEADER_CHARS].split("\n")
    return first.rstrip() == "---" and any(line.startswith(_HEADER) for line in header)


def _cells(name: str, sources: list[str], problems: list[str]) -> Read:
    return read_cells(name, ({"cell_type": "code", "source": each} for each in sources), problems)


def _sources(text: str, begins: str, indented_too: bool) -> Iterator[str]:
    """What stands between fences that are for Python, and whose language `begins` so.

    `indented_too`: those within lists as well, which are no cells for jupytext and MyST.
    """
    lines = (line.rstrip("\n") for line in io.StringIO(text, newline=None))
    for line in lines:
        opened = _OPENED.match(line)
        if _INCLUDES.match(line):
            yield f"# {line}"
        if opened is None or (opened["indent"] and not indented_too):
            continue
        code: list[str] = []
        indent = len(opened["indent"])
        is_shown = _PYTHON.match(opened["language"]) and opened["language"].startswith(begins)
        is_off = _OFF.search(line) is not None
        is_head = False  # of MyST: options between two lines of ---, in front of the code
        for inner in lines:
            inner = inner[:indent].lstrip() + inner[indent:]
            if inner.rstrip() == opened["fence"]:
                break
            is_skipped = is_head and _SKIPPED in inner
            is_off = is_off or is_skipped or _OFF_INSIDE.match(inner) is not None
            if not code and inner.rstrip() == "---":
                is_head = not is_head
            elif not is_head and (code or not _OPTION.match(inner)):
                code.append(inner)
        if is_shown and not is_off:
            yield "\n".join(code)


class _Page(HTMLParser):
    """Gathers what stands in the elements of code cells."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self._is_next = False  # the <pre> that comes next is a cell
        self._within: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A cell begins at the <pre> of a <div> for Python, or at one that is for Python itself."""
        classes = {one for name, value in attrs if name == "class" for one in (value or "").split()}
        if tag == "div" and classes:
            self._is_next = not classes.isdisjoint(_OF_PYTHON)
        elif tag == "pre" and (self._is_next or classes >= _OF_QUARTO):
            self._within, self._is_next = [], False

    def handle_endtag(self, tag: str) -> None:
        """It ends with the <pre>."""
        if tag == "pre" and self._within is not None:
            self.cells.append("".join(self._within).strip("\n"))
            self._within = None

    def handle_data(self, data: str) -> None:
        """What stands within it."""
        if self._within is not None:
            self._within.append(data)
