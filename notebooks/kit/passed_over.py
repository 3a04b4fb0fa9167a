"""Asks a question whose cell was passed over, where a cell below it is to show the answer.

It runs that one cell of the saved notebook, the one that asks, and no other.
"""

import ast
import builtins
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from grader.notebook.this_notebook import saved_cells, source_of


def install(shell: Any) -> None:
    """Before each cell of this kernel: ask what it answers and nobody has asked."""
    shell.events.register("pre_run_cell", lambda info: ask(shell, info.raw_cell))


def ask(shell: Any, cell: str) -> None:
    """Run the cells that ask what this one answers, where their names are missing."""
    missing = [name for name in _read(cell) if name not in shell.user_ns]
    if ".beside(" not in cell or not missing:
        return
    cells = [source_of(each) for each in saved_cells(cell)]
    for name in missing:
        asking = next((each for each in cells if name in asked(each)), None)
        if asking is not None and name not in shell.user_ns:
            with suppress(Exception):  # the cell below will say what is missing
                exec(compile(asking, "<question>", "exec"), shell.user_ns)


def asked(cell: str) -> set[str]:
    """The names to which a cell gives predictions."""
    tree = _parsed(cell)
    found = set()
    for each in tree.body:
        if isinstance(each, ast.Assign) and any(map(_is_predict, ast.walk(each.value))):
            found |= {target.id for target in each.targets if isinstance(target, ast.Name)}
    return found


def _read(cell: str) -> Iterator[str]:
    """The names that a cell reads, but for Python's own."""
    for node in ast.walk(_parsed(cell)):
        match node:
            case ast.Name(name, ast.Load()) if not hasattr(builtins, name):
                yield name


def _is_predict(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "predict"


def _parsed(cell: str) -> ast.Module:
    try:
        return ast.parse(cell)
    except SyntaxError:  # magics
        return ast.Module([], [])
