"""Hashes of code and of what judges it, which tell whether a mark still holds; runs neither."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..submission import Slice, Submission, file_of, handed_in_apart
from ..syllabus import Syllabus, syllabus

# The rooms whose files belong to one chapter where their name holds its name; all else is shared.
_BY_CHAPTER = ("checks", "misconceptions", "interpretation", "solutions")
# What shows, stores or hands out marks has no say in them.
_NO_JUDGE = {
    *(
        "__init__.py",
        "__main__.py",
        "cli.py",
        "cluster.py",
        "diff.py",
        "doctor.py",
        "grading.py",
    ),
    *(
        "cohort",
        "exports",
        "gradebook.py",
        "gradebook_words.py",
        "hints.py",
        "hints.toml",
        "notebook",
        "report",
        "selfcheck.py",
    ),
    "solve.py",
    "syllabus.toml",  # read exercise by exercise
}


@dataclass(frozen=True)
class Alike:
    """A hash of code, and of its judge, in which files have numbers for names."""

    key: str
    files: tuple[str, ...]  # their names, in the order of their numbers


@dataclass(frozen=True)
class Keys:
    """The hashes under which one submission's marks are kept: by exercise, (code, judge).

    `alike` tells who else handed in the same, in files of whatever name.
    """

    content: str
    by_exercise: dict[str, tuple[str, str]]
    alike: dict[str, Alike]


def judges() -> dict[str, str]:
    """For each exercise a hash of the checks, references and everything else that judges it."""
    course = syllabus()
    package = Path(__file__).resolve().parent.parent
    stems = {chapter.partition("_")[2]: chapter for chapter in course.chapters}
    files = dict(_files(package, ""))
    files |= dict(_files(package.parent / "solutions", "solutions."))
    shared: list[str] = [_version("torch"), platform.python_version()]
    own: dict[str, set[str]] = {chapter: set() for chapter in course.chapters}
    by_chapter: dict[str, str] = {}
    for module, text in sorted(files.items()):
        chapter = _chapter_of(module, stems)
        if chapter is None:
            shared += [module, text]
        else:
            by_chapter[module] = text
            own[chapter].add(module)
    engine = digest(shared)
    imports = {module: _imports(module, text, by_chapter) for module, text in by_chapter.items()}
    chapters = {
        chapter: digest(f"{m}\n{by_chapter[m]}" for m in sorted(_reach(modules, imports)))
        for chapter, modules in own.items()
    }
    return {
        exercise.name: digest([engine, chapters[exercise.chapter], repr(exercise)])
        for exercise in course.exercises
    }


def settings_of(by_exercise: Mapping[str, str], run: Mapping[str, object]) -> str:
    """A hash of everything that judges in one run; `run` holds seed, limits and isolation."""
    return digest([repr(sorted(run.items())), *(f"{n} {h}" for n, h in by_exercise.items())])


def content_of(submission: Submission) -> str:
    """A hash of what was read of a submission."""
    cells = (f"{cell.label}\0{cell.source}" for cell in submission.cells)
    return digest([*cells, "problems", *submission.problems])


def keys_of(submission: Submission, by_exercise: Mapping[str, str], run: str) -> Keys:
    """The keys of one submission; an exercise's cover those that it calls or is checked beside."""
    course: Syllabus = syllabus()
    slices = {name: submission.slice(name) for name in course.names}
    written = {name: _written(found, submission) for name, found in slices.items()}
    keys: dict[str, tuple[str, str]] = {}
    alike: dict[str, Alike] = {}
    for name, cut in slices.items():
        used = sorted({*cut.uses, *cut.absent, *course[name].beside}) if cut else []
        parts = [(each, written[each]) for each in (name, *used) if each in written]
        files = tuple(dict.fromkeys(file for _, one in parts for file in one.files))
        code = digest(f"{each} {one.key} {[*map(files.index, one.files)]}" for each, one in parts)
        judge = digest([run, by_exercise[name], *(by_exercise.get(each, "") for each in used)])
        keys[name] = (digest([code, *files]), judge)
        if cut is not None and cut.units:
            alike[name] = Alike(digest([code, judge]), files)
    return Keys(content_of(submission), keys, alike)


def used_by(submission: Submission, exercises: Iterable[str]) -> list[str]:
    """These exercises and the learner's own that they call, in course order."""
    wanted = set(exercises)
    for name in list(wanted):
        cut = submission.slice(name)
        wanted.update(cut.uses if cut else ())
    return [name for name in syllabus().names if name in wanted]


def digest(parts: Iterable[str]) -> str:
    """One hash of several texts; the same texts joined otherwise have another."""
    state = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "big") + data)
    return state.hexdigest()[:32]


def _written(cut: Slice | None, submission: Submission) -> Alike:
    """A slice's code, its files numbered."""
    if cut is None:
        return Alike("missing", ())
    numbers: dict[str, int] = {}

    def numbered(label: str) -> str:
        file = file_of(label)
        return f"{numbers.setdefault(file, len(numbers))}{label[len(file) :]}"

    units = [f"{numbered(u.label)}\0{u.line}\0{u.code}" for u in (*cut.units, *cut.written)]
    broken = [f"{numbered(b.label)}\0{b.line}\0{b.message}" for b in cut.broken]
    rest = [repr(cut.uses), repr(cut.absent), repr(cut.is_stub)]
    rest += handed_in_apart(cut, submission)
    return Alike(digest([*units, "end", *rest, *broken]), tuple(numbers))


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        inside = path.relative_to(folder)
        if path.suffix not in (".py", ".toml", ".json") or "__pycache__" in inside.parts:
            continue
        if prefix or inside.parts[0] not in _NO_JUDGE:
            name = ".".join(inside.with_suffix("").parts)
            yield prefix + name, path.read_text(encoding="utf-8")


def _chapter_of(module: str, stems: Mapping[str, str]) -> str | None:
    room, _, rest = module.partition(".")
    if room not in _BY_CHAPTER:
        return None
    return next((chapter for stem, chapter in stems.items() if stem in rest), None)


def _imports(module: str, text: str, known: Mapping[str, str]) -> set[str]:
    """The chapters' modules that one of them imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = ".".join([*module.split(".")[: -node.level], *([base] if base else [])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        found.update(name.removeprefix("grader.") for name in names)
    return found & known.keys()


def _reach(modules: Iterable[str], imports: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module not in reached:
            reached.add(module)
            waiting.extend(imports[module])
    return reached


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
