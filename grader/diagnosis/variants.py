"""Makes the solutions anew with small edits in them; knows no exercise and no mistake.

What an edit replaces is found in the syntax tree, so blank space, brackets and comments play no
part. Solutions are built of each other by imports: an edit acts in all that stand above it.
"""

import ast
import importlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

from ..curriculum.course import course
from .edited_tree import Edit, EditError, Module, Placed
from .rebuilt_tree import MADE, rebuilt, switched

# What a new text may use, whatever the solution imports.
_NAMES = ("torch", "math", "re", "unicodedata", "copy")


class Clash(ValueError):
    """No program has all of these edits, as two of them have one place."""


@dataclass(frozen=True)
class _Program:
    """Definitions of one module, by their statements, and the numbers of the edits in them."""

    codes: Mapping[ast.stmt, CodeType]
    numbers: Mapping[Placed, int]


class EditedSolutions:
    """The solutions with any of some edits, which stand in one program as far as they can."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        self._edits = tuple(dict.fromkeys(edits))
        self._programs: dict[str, _Program] = {}

    def variant(self, edits: Sequence[Edit]) -> "Variant":
        """The solutions with these edits; raises Clash, and EditError where one cannot be made."""
        own = tuple(dict.fromkeys(edits))
        if clash(*own):
            raise Clash("two edits have one place")
        return Variant(list(map(placed_at, own)), self)

    def program(self, stem: str, wanted: Sequence[Placed]) -> _Program:
        """A module with all edits that one program can have, or with the wanted ones alone."""
        module = _modules()[stem]
        if stem not in self._programs:
            placed = [one for one in map(placed_at, self._edits) if one.module is module]
            made = switched(module, placed)
            self._programs[stem] = _Program(_compiled(stem, made.made), made.numbers)
        if all(placed in self._programs[stem].numbers for placed in wanted):
            return self._programs[stem]
        return _Program(_compiled(stem, rebuilt(module, wanted)), {})


class Variant:
    """The solutions with edits: `variant["softmax"]` is that function, made anew if need be."""

    def __init__(self, edits: Sequence[Placed], solutions: EditedSolutions) -> None:
        self._edits = edits
        self._solutions = solutions
        self._changed = {placed.top for placed in edits}
        self._made: dict[str, tuple[_Program, dict[str, Any]]] = {}  # by modules, with their names
        self._begun: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        """What the solutions call by that name."""
        stem = _home(name)
        if self._changed.isdisjoint(_reached(name)):
            return _usual(stem)[name]
        program, names = self._made[stem] if stem in self._made else self._begin(stem)
        if name not in self._begun:
            self._begun.add(name)
            for reads in (_reads(name), *(one.reads for one in self._edits if one.top == name)):
                for local, other in reads.items():
                    names[local] = self[other]
            statement = _modules()[stem].definitions[name]
            exec(program.codes.get(statement) or _code(stem, statement), names)
        return names[name]

    def _begin(self, stem: str) -> tuple[_Program, dict[str, Any]]:
        own = [placed for placed in self._edits if placed.module is _modules()[stem]]
        program = self._solutions.program(stem, own)
        numbers = {program.numbers[placed] for placed in own if placed in program.numbers}
        self._made[stem] = program, {**_names(), **_usual(stem), MADE: numbers}
        return self._made[stem]


def _compiled(stem: str, made: Mapping[ast.stmt, list[ast.stmt]]) -> dict[ast.stmt, CodeType]:
    name = f"<{course().solutions}.{stem}>"
    trees = {old: ast.fix_missing_locations(ast.Module(new, [])) for old, new in made.items()}
    return {old: compile(tree, name, "exec", dont_inherit=True) for old, tree in trees.items()}


@cache
def _code(stem: str, statement: ast.stmt) -> CodeType:
    return _compiled(stem, {statement: [statement]})[statement]


@cache
def _reads(name: str) -> dict[str, str]:
    """The names of the solutions that a definition reads, and what they are called at home."""
    module = _modules()[_home(name)]
    return module.read_in([module.definitions[name]])


@cache
def _reached(name: str) -> frozenset[str]:
    """The solutions' definitions that one works with, itself included."""
    found: set[str] = set()
    pending = [name]
    while pending:
        if (one := pending.pop()) not in found:
            found.add(one)
            pending += _reads(one).values()
    return frozenset(found)


def clash(*edits: Edit) -> bool:
    """Whether two of these edits have one place, so that no program has both."""
    placed = list(map(placed_at, dict.fromkeys(edits)))
    pairs = itertools.combinations(placed, 2)
    return any(one.clashes(other) for one, other in pairs)


@cache
def placed_at(edit: Edit) -> Placed:
    """Where in the solutions an edit acts.

    Raises:
        EditError: It cannot be made.
    """
    try:
        module = _modules()[_home(edit.top)]
    except KeyError:
        raise EditError(f"nothing in {course().solutions}/ is called {edit.definition!r}") from None
    return module.placed(edit)


def definition(name: str) -> ast.stmt:
    """The solutions' definition of a name; raises KeyError where there is none."""
    return _modules()[_home(name)].definitions[name]


def edited_definition(name: str, edits: Sequence[Edit]) -> str:
    """The source of the solutions' definition of a name with edits in it; raises EditError."""
    made = rebuilt(_modules()[_home(name)], list(map(placed_at, edits)))
    return "\n\n".join(ast.unparse(one) for block in made.values() for one in block)


@cache
def _modules() -> dict[str, Module]:
    folder = course().solutions_folder
    files = {one.name.removesuffix(".py"): one for one in folder.iterdir()}
    stems = sorted(stem for stem in files if files[stem].name.endswith(".py") and stem[0] != "_")
    return {stem: Module(files[stem].read_text("utf-8"), course().solutions) for stem in stems}


@cache
def _home(name: str) -> str:
    """The module that defines a name; KeyError where none does."""
    for stem, module in _modules().items():
        if name in module.definitions:
            return stem
    raise KeyError(name)


@cache
def _names() -> dict[str, Any]:
    """Imported late: an edit is found, and a catalogue read, without PyTorch."""
    found = {name: importlib.import_module(name) for name in _NAMES}
    return {**found, "F": importlib.import_module("torch.nn.functional")}


@cache
def _usual(stem: str) -> dict[str, Any]:
    return vars(importlib.import_module(f"{course().solutions}.{stem}"))
