"""Says what goes into a bundle: chapters, their kit, modules of the grader; writes nothing."""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...curriculum.complaint import Complaint
from ...curriculum.course import course
from ...curriculum.references import solutions_of
from ...curriculum.syllabus import syllabus
from ...submission import load_submission
from ...submission.parsing import parsed

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
_SECRET_FILES = ("curriculum/references.py", "candidate/candidate.py")


def refuse_gaps(chapters: Iterable[str], reveal: Iterable[str], notebooks: Iterable[Path]) -> None:
    """Raise Complaint where a chapter needs one that is neither released nor revealed."""
    here, revealed = set(chapters), set(reveal)
    for name in sorted(name for module, name in _imported(notebooks) if module == "kit.earlier"):
        chapter = syllabus()[name].chapter
        if chapter not in here | revealed:
            raise Complaint(
                f"these chapters need {name} of {chapter}: release that chapter too, or reveal it"
            )
    by_module = {name.partition("_")[2]: name for name in syllabus().chapters}
    for chapter in sorted(revealed):
        modules = {module.rpartition(".")[2] for module, _ in _imported([solutions_of(chapter)])}
        for other in {by_module[each] for each in modules & by_module.keys()} - revealed:
            raise Complaint(f"the solutions of {chapter} use those of {other}: reveal both")


def refuse_answers(notebooks: Iterable[Path], reveal: Iterable[str]) -> None:
    """Raise Complaint where a notebook holds an answer, as somebody has solved it where it lies."""
    revealed, names = set(reveal), frozenset(syllabus().names)
    for path in notebooks:
        work = load_submission(path, names)
        cuts = {
            name: work.slice(name) for name in names if syllabus()[name].chapter not in revealed
        }
        if own := sorted(name for name, found in cuts.items() if found and not found.is_stub):
            raise Complaint(
                f"{path.name} answers {', '.join(own)}: make the bundle of the notebook as it came "
                f"(git restore {course().notebooks.name}/{path.name}), and solve a copy"
            )


def kit_files(notebooks: Iterable[Path]) -> tuple[Path, ...]:
    """The modules that these notebooks import, directly or not, and the files that those name."""
    kit = course().notebooks / "kit"
    found = {kit / "__init__.py", kit / "earlier.py"}
    waiting = [*_modules(notebooks, kit), *_modules(found, kit)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _modules([path], kit)
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(found))
    beside = [path for room in ("data", "page") for path in (kit / room).iterdir()]
    named = {path for path in beside if path.is_file() and path.name in code}
    if any(path.parent.name == "data" for path in named):
        named.add(kit / "data" / "README.md")
    return tuple(sorted(found | named))


def _modules(files: Iterable[Path], kit: Path) -> Iterator[Path]:
    for module, name in _imported(files):
        places = [f"{module}.{name}", module, f"kit.{name}"]
        for place in (each.split(".") for each in places):
            if place[0] == "kit" and len(place) == 2 and (kit / f"{place[1]}.py").is_file():
                yield kit / f"{place[1]}.py"


def shared_modules() -> tuple[Path, ...]:
    """Their files, those of the packages that they lie in, and what they read.

    Raises Complaint where an import leads to what must stay hidden.
    """
    found: set[Path] = set()
    waiting = [GRADER / first for first in _CALLED_FIRST]
    while waiting:
        path = waiting.pop()
        inside = path.relative_to(GRADER).as_posix()
        if path in found or (BUNDLE / "grader" / inside).exists():
            continue  # the bundle has its own
        if (inside.partition("/")[0] in _SECRET and inside != _FORMS) or inside in _SECRET_FILES:
            raise Complaint(f"a bundle would hold grader/{inside}, which must stay hidden")
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


def _imported(files: Iterable[Path]) -> set[tuple[str, str]]:
    """Module and name of each `from module import name` of these files; of a bare import, ""."""
    found: set[tuple[str, str]] = set()
    for path in files:
        text = path.read_text(encoding="utf-8")
        cells = json.loads(text)["cells"] if path.suffix == ".ipynb" else []
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        for source in code or [text]:
            tree = parsed(source)
            for node in ast.walk(tree) if tree else ():  # none of a cell of magics
                if isinstance(node, ast.ImportFrom):
                    found.update((node.module or "", alias.name) for alias in node.names)
                elif isinstance(node, ast.Import):
                    found.update((alias.name, "") for alias in node.names)
    return found
