"""Makes the solutions anew with small edits in them; knows no exercise and no mistake.

What an edit replaces is found in the syntax tree, so blank space, brackets and comments play no
part. Solutions are built of each other by imports: an edit acts in all that stand above it.
"""

import ast
import copy
import importlib
import math
import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import torch
from torch.nn import functional as F

from .edited_tree import Edit, EditError, Module, Placed
from .rebuilt_tree import rebuilt

_PACKAGE = "solutions"
# What a new text may use, whatever the solution imports.
_NAMES = {"torch": torch, "F": F, "math": math, "re": re, "unicodedata": unicodedata, "copy": copy}
_MOST_KEPT = 500


class Clash:
    """Edits of one place: no program has all of them."""


class Variant:
    """The solutions with edits: `variant["softmax"]` is that function, made anew if need be."""

    def __init__(self, edits: Sequence[Placed]) -> None:
        self._edits = edits
        self._made: dict[str, dict[str, Any]] = {}

    def __getitem__(self, name: str) -> Any:
        """What the solutions call by that name."""
        return self._names(_home(name))[name]

    def _names(self, stem: str) -> dict[str, Any]:
        """The names of one module."""
        if stem not in self._made:
            self._made[stem] = self._built(stem)
        return self._made[stem]

    def _built(self, stem: str) -> dict[str, Any]:
        module, usual = _modules()[stem], _usual(stem)
        own = [placed for placed in self._edits if placed.module is module]
        below = {other: self._names(other) for other, _ in module.imports.values()}
        if not own and all(names is _usual(other) for other, names in below.items()):
            return usual
        names = {**_NAMES, "__name__": f"{_PACKAGE}.{stem}"}
        names |= {local: below[other][name] for local, (other, name) in module.imports.items()}
        exec(module.code, names)
        for statement in rebuilt(module, own):
            tree = ast.Module([statement], type_ignores=[])
            exec(compile(tree, f"<{_PACKAGE}.{stem}>", "exec", dont_inherit=True), names)
        return names


@lru_cache(maxsize=_MOST_KEPT)
def variant(edits: tuple[Edit, ...]) -> Variant | Clash:
    """The solutions with these edits.

    Raises:
        EditError: One of them cannot be made.
    """
    own = tuple(dict.fromkeys(edits))
    return Clash() if clash(*own) else Variant(list(map(placed_at, own)))


def clash(*edits: Edit) -> bool:
    """Whether two of these edits have one place, so that no program has both."""
    placed = list(map(placed_at, dict.fromkeys(edits)))
    return any(a.clashes(b) for index, a in enumerate(placed) for b in placed[:index])


@cache
def placed_at(edit: Edit) -> Placed:
    """Where in the solutions an edit acts.

    Raises:
        EditError: It cannot be made.
    """
    try:
        module = _modules()[_home(edit.definition.partition(".")[0])]
    except KeyError:
        raise EditError(f"nothing in {_PACKAGE}/ is called {edit.definition!r}") from None
    return module.placed(edit)


def definition(name: str) -> ast.stmt:
    """The solutions' definition of a name; raises KeyError where there is none."""
    return _modules()[_home(name)].definitions[name]


def edited_definition(name: str, edits: Sequence[Edit]) -> str:
    """The source of the solutions' definition of a name with edits in it; raises EditError."""
    made = rebuilt(_modules()[_home(name)], list(map(placed_at, edits)))
    return "\n\n".join(map(ast.unparse, made))


@cache
def _modules() -> dict[str, Module]:
    folder = resources.files(_PACKAGE)
    files = {one.name.removesuffix(".py"): one for one in folder.iterdir()}
    stems = sorted(stem for stem in files if files[stem].name.endswith(".py") and stem[0] != "_")
    return {stem: Module(files[stem].read_text("utf-8"), _PACKAGE) for stem in stems}


@cache
def _home(name: str) -> str:
    """The module that defines a name; KeyError where none does."""
    for stem, module in _modules().items():
        if name in module.definitions:
            return stem
    raise KeyError(name)


@cache
def _usual(stem: str) -> dict[str, Any]:
    return vars(importlib.import_module(f"{_PACKAGE}.{stem}"))
