"""Tells which parts of a submission stand for themselves; runs nothing."""

import re
from collections.abc import Set

from .isolation import Unit
from .loading import Submission
from .slicing import Slice

_OWN = re.compile(r"(?:@[^\n]*\n)*(?:async[ \t]+)?(?:class|def)[ \t]+(\w+)")
# Its blanks stay on their line: \s would go on over all empty lines, anew from each of them.
_DEFINITION = re.compile(r"^[ \t\f]*(class|def)[ \t\f]+(\w+)", re.MULTILINE)


def handed_in_apart(cut: Slice, submission: Submission) -> tuple[str, ...]:
    """Earlier exercises in a slice that stand for themselves, so that their mistakes cost there.

    A class in the same script, or in the same cell, is not one of them: who writes a layer with its
    parts in one place hands in one thing, and a mistake in a part is a mistake of the whole. A
    place that holds exercises which this one does not use is no such thing, but several.
    """
    defined = [(unit.label, _defined(unit.code)) for unit in cut.written]
    own = {label for label, names in defined if cut.exercise in names}
    others = submission.exercises - {cut.exercise, *cut.uses}
    for cell in submission.cells:
        if cell.label in own and not others.isdisjoint(_defined(cell.source)):
            return tuple(cut.uses)
    inside = {
        name
        for label, names in defined
        if label in own
        for name, kinds in names.items()
        if "class" in kinds
    }
    return tuple(name for name in cut.uses if name not in inside)


def defined_at(cut: Slice) -> Unit | None:
    """What the learner wrote that defines the exercise; of several the last, as in a kernel."""
    found = [unit for unit in cut.written if cut.exercise in _defined(unit.code)]
    return found[-1] if found else None


def own_code(cut: Slice, exercises: Set[str]) -> tuple[Unit, ...]:
    """All that the learner wrote for this exercise: no imports, and no other exercise."""
    others = exercises - {cut.exercise}
    return tuple(
        unit
        for unit in cut.written
        if not unit.code.startswith(("import ", "from ")) and _own_name(unit.code) not in others
    )


def _own_name(code: str) -> str:
    """What a statement defines, whatever it may hold beside."""
    found = _OWN.match(code)
    return found[1] if found else ""


def _defined(code: str) -> dict[str, set[str]]:
    """The names after `class` and `def`, and after which of the two; the text is read once."""
    found: dict[str, set[str]] = {}
    for kind, name in _DEFINITION.findall(code):
        found.setdefault(name, set()).add(kind)
    return found
