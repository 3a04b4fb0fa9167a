"""Builds solved notebooks, with the reference in place of each stub; runs none of it."""

import ast
import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..curriculum.complaint import Complaint
from ..curriculum.course import course
from ..curriculum.references import solutions_of
from ..curriculum.syllabus import syllabus
from ..submission import is_stub
from ..submission.parsing import parsed
from ..submission.scopes import names_of
from ..submission.statements import first_line

_Definition = ast.FunctionDef | ast.ClassDef


def solve_notebooks(out: Path, notebooks: Path | None = None) -> tuple[Path, ...]:
    """Write every notebook solved into `out`, with what notebooks import beside them.

    Outputs stay as they are stored: they are what the solved notebook must show.
    """
    notebooks = notebooks or course().notebooks
    found = sorted(notebooks.glob("*.ipynb"))
    if not found:
        raise Complaint(f"{notebooks} holds no notebooks; run this from a clone of the course")
    if out.resolve() == notebooks.resolve():
        raise Complaint("the solved notebooks would replace the learner's; choose another folder")
    texts = {out / path.name: _solved(path) for path in found}
    for target, text in texts.items():
        if target.exists() and target.read_text(encoding="utf-8") != text:
            raise Complaint(
                f"{target} holds something else; choose another folder, or take it away"
            )
    out.mkdir(parents=True, exist_ok=True)
    ignored = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    if (notebooks / "kit").is_dir():
        shutil.copytree(notebooks / "kit", out / "kit", ignore=ignored, dirs_exist_ok=True)
    for target, text in texts.items():
        target.write_text(text, encoding="utf-8")
    return tuple(texts)


def _solved(path: Path) -> str:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return json.dumps(solved_notebook(notebook), indent=1, ensure_ascii=False) + "\n"


def solved_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """A copy, as nbformat 4 has it, in which no exercise is a stub."""
    bound: set[str] = set()
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            source = solved_source("".join(cell["source"]), bound)
            cell = {**cell, "source": source.splitlines(keepends=True)}
            bound |= _bound_in(source)
        cells.append(cell)
    return {**notebook, "cells": cells}


def solved_source(source: str, bound: set[str]) -> str:
    """One cell with the reference in place of every stub.

    `bound` are the names that earlier cells give: what the reference needs beyond them and beyond
    this cell is written above it.
    """
    tree = parsed(source)
    if tree is None:  # a cell of magics holds no stub
        return source
    lines = source.split("\n")
    for node in reversed(tree.body):
        if isinstance(node, _Definition) and node.name in syllabus().names and is_stub(node):
            first = first_line(node)
            known = bound | _bound_in("\n".join(lines[: first - 1]))
            above = [*_needs(node.name, known)]
            answer = [*above, *([""] * 2 if above else []), reference_text(node.name)]
            lines[first - 1 : node.end_lineno] = "\n".join(answer).split("\n")
    return "\n".join(lines)


def reference_text(exercise: str) -> str:
    """The text of one exercise's own definition in `solutions`."""
    text, tree = _chapter(syllabus()[exercise].chapter)
    return _text_of(text, _definition(tree, exercise))


def _needs(exercise: str, bound: set[str]) -> Iterator[str]:
    """Imports, constants and helpers of the solutions that an exercise needs and nobody gives."""
    text, tree = _chapter(syllabus()[exercise].chapter)
    wanted = _reached(tree, exercise) - bound
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if (alias.asname or alias.name.partition(".")[0]) in wanted:
                    start = "" if isinstance(node, ast.Import) else f"from {node.module} "
                    if alias.name in syllabus().names:
                        start = "from kit.earlier "  # the learner's own, where they have one
                    yield f"{start}import {ast.unparse(alias)}"
        elif (wanted & names_of(node).binds) - set(syllabus().names):
            yield _text_of(text, node)


def _reached(tree: ast.Module, exercise: str) -> set[str]:
    """The names that an exercise's definition names, and those that its helpers name."""
    helpers = {name: node for node in tree.body for name in names_of(node).binds}
    names: set[str] = set()
    waiting: list[ast.stmt] = [_definition(tree, exercise)]
    while waiting:
        read = names_of(waiting.pop())
        new = (read.now | read.late) - names
        names |= new
        waiting += [helpers[name] for name in new - set(syllabus().names) if name in helpers]
    return names - {exercise}


def _bound_in(source: str) -> set[str]:
    tree = parsed(source)
    return {name for node in tree.body for name in names_of(node).binds} if tree else set()


@cache
def _chapter(chapter: str) -> tuple[str, ast.Module]:
    text = solutions_of(chapter).read_text(encoding="utf-8")
    return text, ast.parse(text)


def _definition(tree: ast.Module, exercise: str) -> _Definition:
    for node in tree.body:
        if isinstance(node, _Definition) and node.name == exercise:
            return node
    raise Complaint(f"solutions do not define {exercise}")


def _text_of(text: str, node: ast.stmt) -> str:
    return "\n".join(text.split("\n")[first_line(node) - 1 : node.end_lineno])
