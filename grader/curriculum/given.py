"""Gives code the imports, helpers and constants of its chapter's notebook that it reads and lacks.

Who hands in a function by itself leaves behind what the notebook gave. It runs nothing.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from ..submission import Cell, Submission, load_submission
from ..submission.notebooks import is_course
from ..submission.statements import Statement
from .course import course
from .syllabus import syllabus


def with_given(submission: Submission) -> Submission:
    """The submission, with one cell more before each file that lacks what its chapter gives.

    What the file binds itself, wherever and however that is written, stays its own.
    """
    added: dict[str, Cell] = {}
    for file in submission.parsed:
        chapters = sorted({syllabus()[each].chapter for each in submission.exercises & file.binds})
        lacks = sorted(file.reads - file.binds)
        codes = dict.fromkeys(
            code for each in chapters for name in lacks for code in _given(each, name)
        )
        if codes:
            label = f"{file.name} (what {chapters[0]}.ipynb gives)"
            added[file.name] = Cell("\n\n".join(codes), label, file.name, -1)
    if not added:
        return submission
    cells: list[Cell] = []
    for cell in submission.cells:
        cells += [first] if (first := added.pop(cell.notebook, None)) else []
        cells.append(cell)
    return replace(submission, cells=tuple(cells))


@cache
def _given(chapter: str, name: str) -> tuple[str, ...]:
    """The statements that give a name in a chapter's notebook; none where it does not."""
    notebook = _notebook(chapter)
    if name not in _names(chapter):
        return ()
    cut = replace(notebook, exercises=notebook.exercises | {name}).slice(name)
    alone = cut is not None and not {*cut.uses, *cut.absent}
    return tuple(unit.code for unit in cut.units) if cut is not None and alone else ()


@cache
def _notebook(chapter: str) -> Submission:
    """It is empty where the notebooks are not at hand, as beside a bundle."""
    path, exercises = course().notebooks / f"{chapter}.ipynb", frozenset(syllabus().names)
    return load_submission(path, exercises) if path.is_file() else Submission(chapter, exercises)


@cache
def _names(chapter: str) -> frozenset[str]:
    """What a chapter imports from elsewhere than the course, defines, or sets in capitals."""
    notebook = _notebook(chapter)
    statements = (statement for file in notebook.parsed for statement in file.statements)
    return frozenset(name for each in statements for name in _offered(each)) - notebook.exercises


def _offered(statement: Statement) -> Iterator[str]:
    if statement.is_import:
        modules = {bound: module for bound, (module, _) in statement.borrows.items()}
        yield from (name for name in statement.names.binds if not is_course(modules.get(name, "")))
    elif isinstance(statement.node, ast.FunctionDef | ast.ClassDef):
        yield from statement.names.binds
    elif isinstance(statement.node, ast.Assign):
        targets = (each.id for each in statement.node.targets if isinstance(each, ast.Name))
        yield from filter(str.isupper, targets)
