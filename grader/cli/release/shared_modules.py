"""Finds the modules of the grader that a bundle shares with it; none of them holds an answer."""

import ast
from collections.abc import Iterator
from pathlib import Path

from .chapters import ReleaseError

GRADER = Path(__file__).resolve().parents[2]
BUNDLE = Path(__file__).resolve().parent / "files"  # that a bundle has beside those
_FORMS = "course/expected_forms.py"  # of the course, and found by its name
# What a bundle calls first; all else follows by the imports.
_CALLED_FIRST = (
    _FORMS,
    *("notebook/public.py", "notebook/api.py", "worker/namespace.py"),
    *(f"notebook/bundle/{name}.py" for name in ("command", "handing_in", "remote_marking")),
)
_DATA = (
    *("course/__init__.py", "course/course.toml", "course/syllabus.toml", "course/hints.toml"),
    *("course/reasons.toml", "report/templates/*"),
)
# Rooms that hold answers, or that the instructor's machine alone needs.
_SECRET = (*("course", "diagnosis", "marking", "cohort", "service", "cli"), "wall")
_SECRET_FILES = ("curriculum/references.py", "curriculum/solve.py", "candidate/candidate.py")


def shared_modules() -> tuple[Path, ...]:
    """Their files, those of the packages that they lie in, and what they read.

    Raises ReleaseError where an import leads to what must stay hidden.
    """
    found: set[Path] = set()
    waiting = [GRADER / first for first in _CALLED_FIRST]
    while waiting:
        path = waiting.pop()
        inside = path.relative_to(GRADER).as_posix()
        if path in found or (BUNDLE / "grader" / inside).exists():
            continue  # the bundle has its own
        if (inside.partition("/")[0] in _SECRET and inside != _FORMS) or inside in _SECRET_FILES:
            raise ReleaseError(f"a bundle would hold grader/{inside}, which must stay hidden")
        found.add(path)
        waiting += _imported_by(path)
    packages = {path.parent / "__init__.py" for path in found} - {GRADER / "__init__.py"}
    data = {path for pattern in _DATA for path in GRADER.glob(pattern)}
    return tuple(sorted(found | packages | data))


def _imported_by(path: Path) -> Iterator[Path]:
    """The files of the grader that one of them imports, wherever in it the import stands."""
    package = path.relative_to(GRADER).parent.parts
    for node in _that_run(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = package[: len(package) - node.level + 1]
            elif (node.module or "").partition(".")[0] == "grader":
                base = ()
            else:
                continue
            stem = (node.module or "").removeprefix("grader").lstrip(".")
            place = GRADER.joinpath(*base, *filter(None, stem.split(".")))
            yield from filter(Path.is_file, [place.with_suffix(".py"), place / "__init__.py"])
            names = [place / f"{alias.name}.py" for alias in node.names]
            yield from filter(Path.is_file, names)


def _that_run(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but those under `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _that_run(child)
