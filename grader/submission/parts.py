"""Tells which parts of a submission stand for themselves; runs nothing."""

from __future__ import annotations

import re

from .loading import Submission
from .notebook_io import file_of
from .slicing import Slice


def handed_in_apart(cut: Slice, submission: Submission) -> tuple[str, ...]:
    """Earlier exercises in a slice that stand for themselves, so that their mistakes cost there.

    A class in the same script is not one of them: who writes a layer with its parts into one file
    hands in one thing, and a mistake in a part is a mistake of the whole. A script that holds
    exercises which this one does not use is no such file, but several things.
    """
    scripts = {unit.label for unit in cut.written if file_of(unit.label) == unit.label}
    own = {unit.label for unit in cut.written if _defines(unit.code, cut.exercise)} & scripts
    text = "\n".join(cell.source for cell in submission.cells if cell.label in own)
    if any(_defines(text, name) for name in submission.exercises - {cut.exercise, *cut.uses}):
        return tuple(cut.uses)
    inside = {
        name
        for name in cut.uses
        for unit in cut.written
        if unit.label in own and _defines(unit.code, name, "class")
    }
    return tuple(name for name in cut.uses if name not in inside)


def _defines(code: str, name: str, kind: str = "(?:class|def)") -> bool:
    return re.search(rf"^\s*{kind}\s+{re.escape(name)}\b", code, re.MULTILINE) is not None
