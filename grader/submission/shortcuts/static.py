"""Finds forbidden functions by reading a learner's code; runs nothing."""

import ast
from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from .. import Slice, Unit, file_of
from ..statements import parsed
from .meanings import Own, Path
from .names import Matcher, Shortcut
from .recognise import Reader, own_attributes


def find(cut: Slice, forbidden: Iterable[str]) -> tuple[Shortcut, ...]:
    """The forbidden names that a slice refers to, as far as reading tells, in order of appearance.

    `forbidden` holds dotted names ("torch.nn.functional.softmax"), `*` for anything. A name of
    torch stands for all its aliases inside torch ("torch._C._nn.gelu", "torch.ops.aten.gelu");
    `torch.Tensor.softmax` also for that method of any object that is not the learner's own.
    The learner's own functions, comments and texts are no shortcuts.
    """
    matcher = Matcher(tuple(forbidden))
    if not any(matcher.may_be_in(unit.code, cut.exercise) for unit in cut.written):
        return ()
    by_notebook: dict[str, list[Unit]] = {}
    for unit in cut.written:
        by_notebook.setdefault(file_of(unit.label), []).append(unit)
    found: dict[Shortcut, None] = {}
    for units in by_notebook.values():
        found.update(dict.fromkeys(_find_in(units, cut, matcher)))
    return tuple(found)


def _find_in(units: list[Unit], cut: Slice, matcher: Matcher) -> list[Shortcut]:
    """The shortcuts in the units of one notebook, read one after the other."""
    module = ast.Module([], [])
    starts = [0, *accumulate(unit.code.count("\n") + 1 for unit in units)]
    for unit, start in zip(units, starts, strict=False):
        if tree := parsed(unit.code):
            module.body += ast.increment_lineno(tree, start).body
    found: list[tuple[int, str]] = []

    def see(name: str | None, node: ast.AST) -> None:
        if name is not None:
            found.append((getattr(node, "lineno", 1), name))

    reader = Reader(
        see_path=lambda path, node: see(matcher.of_path(path), node),
        see_method=lambda method, node: see(matcher.of_method(method), node),
        own_attributes=own_attributes(module),
    )
    reader.scope.update(dict.fromkeys([*cut.uses, *cut.absent], Own.FUNCTION))
    reader.read(module)
    meaning = reader.scope.get(cut.exercise)
    if isinstance(meaning, Path):  # `from torch import softmax` and no more
        imports = (n for n in reversed(module.body) if isinstance(n, ast.Import | ast.ImportFrom))
        names = ((n, [alias.asname or alias.name for alias in n.names]) for n in imports)
        last = next((node for node, bound in names if cut.exercise in bound), module)
        see(matcher.of_path(meaning.path), last)
    shortcuts = []
    for line, name in sorted(found, key=lambda item: item[0]):
        index = bisect_left(starts, line) - 1
        unit = units[index]
        shortcuts.append(Shortcut(name, unit.label, unit.line + line - starts[index] - 1))
    return shortcuts
