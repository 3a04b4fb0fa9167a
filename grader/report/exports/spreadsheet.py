"""Writes rows that a spreadsheet opens as text: no cell of a submission is a formula there."""

import csv
import re
from collections.abc import Iterable, Sequence
from typing import TextIO

from ..text import visible

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
# Where the country separates cells otherwise than by commas, a cell may begin within another.
# All that separates is taken at once, or each line of many empty ones would look at all the others.
_INNER = re.compile(r"([;\t\n|][;|\s]*+)([=+\-@＝＋－＠]?)")


def rows(out: TextIO, table: Iterable[Sequence[str | float]]) -> None:
    """Write rows as CSV; numbers stay numbers, every text is defused."""
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    for row in table:
        writer.writerow([defused(cell) if isinstance(cell, str) else cell for cell in row])


def defused(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would take it for a formula."""
    shown = _INNER.sub(_apart, visible(text))
    risky = shown.startswith(_FORMULA) or shown.lstrip().startswith(_FORMULA)
    return "'" + shown if risky else shown


def _apart(found: re.Match[str]) -> str:
    """What separates two cells, and the second one's first character if that begins a formula."""
    return f"{found[1]}'{found[2]}" if found[2] else found[0]
