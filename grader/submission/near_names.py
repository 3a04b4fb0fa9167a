"""Finds the definition that is nearly called like an exercise; changes nothing of what counts."""

import ast
import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .definitions import Notebook
from .notebooks import is_course
from .stubs import is_stub

_NEAR = 0.9  # the least share of letters in common
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class NearName:
    """A function or a class of a learner's, and where it begins."""

    name: str
    label: str
    line: int


def nearly_named(
    exercise: str, notebooks: Iterable[Notebook], exercises: Collection[str]
) -> NearName | None:
    """The last one that is written and has no exercise's name, of any notebook but the course's."""
    found = None
    for notebook in notebooks:
        if any(is_course(folder) for folder in notebook.name.split("/")[:-1]):
            continue
        for statement in notebook.statements:
            node = statement.node
            if not isinstance(node, _DEFINITIONS) or node.name in exercises or is_stub(node):
                continue
            if is_near(node.name, exercise):
                found = NearName(node.name, statement.cell.label, node.lineno)
    return found


def is_near(name: str, exercise: str) -> bool:
    """Whether nearly all of their letters are the same."""
    one, other = (each.replace("_", "").lower() for each in (name, exercise))
    if 2 * min(len(one), len(other)) < _NEAR * (len(one) + len(other)):  # so it cannot be
        return False
    return one == other or difflib.SequenceMatcher(None, one, other).ratio() >= _NEAR
