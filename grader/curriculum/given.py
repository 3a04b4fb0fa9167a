"""Gives code the imports, helpers and constants of its chapter's notebook that it reads and lacks.

Who hands in a function by itself leaves behind what the notebook gave. It runs nothing.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from ..submission import Cell, Submission, load_submission
from ..submission.notebooks import is_course
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
    if name not in _names(chapter):
        return ()
    exercises = frozenset(syllabus().names)
    cut = Submission("given", exercises | {name}, _cells(chapter)).slice(name)
    alone = cut is not None and not {*cut.uses, *cut.absent}
    return tuple(unit.code for unit in cut.units) if cut is not None and alone else ()


@cache
def _cells(chapter: str) -> tuple[Cell, ...]:
    """None where the notebooks are not at hand, as beside a bundle."""
    notebook = course().notebooks / f"{chapter}.ipynb"
    return load_submission(notebook, syllabus().names).cells if notebook.is_file() else ()


@cache
def _names(chapter: str) -> frozenset[str]:
    """What a chapter imports from elsewhere than the course, defines, or sets in capitals."""
    nodes = (node for cell in _cells(chapter) for node in _statements(cell.source))
    return frozenset(name for node in nodes for name in _bound(node)) - {*syllabus().names}


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:  # a magic
        return []


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        path = getattr(node, "module", None) or ""
        if not is_course(path):
            yield from ((each.asname or each.name).partition(".")[0] for each in node.names)
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        targets = (each.id for each in node.targets if isinstance(each, ast.Name))
        yield from (name for name in targets if name.isupper())
