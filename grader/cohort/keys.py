"""Keys of marks: hashes of code and of what judges it, which tell whether a mark still holds."""

import ast
import hashlib
import importlib.metadata
import platform
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from ..candidate.records import Mark, Verdict
from ..curriculum.course import course
from ..curriculum.syllabus import syllabus
from ..submission import Submission, handed_in_apart
from ..submission.own_text import may_see_itself
from ..submission.parsing import parsed
from ..wall.packages import shown

# What shows marks, hands them out or answers in a notebook has no say in them. All else is taken to
# judge: a key that covers too much costs seconds, one that covers too little costs trust.
NO_JUDGES = (
    *("cli/", "report/", "notebook/", "service/", "__main__.py", "py.typed"),
    *("curriculum/hints.py", "course/hints.toml"),
    "course/expected_forms.py",  # of bundles without a checker
)
_GRADER = Path(__file__).resolve().parent.parent
_KINDS = (".py", ".toml", ".json")
_ON_THIS_SIDE = ("torch", "numpy", "safetensors", "pytest")  # that the examiner itself judges with


@dataclass(frozen=True)
class CanonicalKey:
    """A hash of code in which the cells that it stands in have numbers."""

    key: str
    cells: tuple[str, ...]  # their labels, in the order of their numbers; or those of whole files


@dataclass(frozen=True)
class Key:
    """The hashes under which one mark is kept and shared, each made by the function of its name.

    It is shared with nobody where there is nothing to judge, or where the code may look at what
    such a hash leaves out.
    """

    code: str
    answer: str
    alike: CanonicalKey | None = None
    if_right: CanonicalKey | None = None

    def shared(self, mark: Mark) -> CanonicalKey | None:
        """The key under which this mark holds for others."""
        said = (mark.message, mark.carried, *(check.message for check in mark.checks))
        is_right = mark.verdict is Verdict.PASSED and not any(said)
        return self.if_right if is_right and self.if_right else self.alike


@dataclass(frozen=True)
class Keys:
    """The keys of one submission's marks, by exercise.

    A mark depends on the exercise's slice alone where that passes, and where nothing else could
    change what the slice does. Else it depends on all that was handed in.
    """

    slices: dict[str, Key]
    wholes: dict[str, Key]

    def of(self, name: str, is_whole: bool) -> Key:
        """The key for a mark that depends on all that was handed in, or on the slice."""
        return (self.wholes if is_whole else self.slices)[name]

    def held_by(self, name: str, code: str) -> Key | None:
        """The key that a mark of this code has now; None where it is the mark of other code."""
        both = self.slices.get(name), self.wholes.get(name)
        return next((key for key in both if key and key.code == code), None)


def judging_files(package: Path) -> list[Path]:
    """The files of the grader and of the course that can have a say in a mark."""
    own = (course().folder, course().solutions_folder) if package == _GRADER else ()
    here = (package, package.parent / "solutions", *own)
    found = {path for folder in here for path in folder.rglob("*") if path.suffix in _KINDS}
    inside = {path: path.relative_to(package) for path in found if path.is_relative_to(package)}
    outside = {path for path, name in inside.items() if name.as_posix().startswith(NO_JUDGES)}
    return sorted(path for path in found - outside if not path.name.startswith("."))  # an editor's


def judging_digest(package: Path = _GRADER) -> str:
    """One hash of all code and data that judges, of Python and of the packages that have a say.

    These are the examiner's own, and all that a learner's code can import behind the wall.
    """
    python = [platform.python_implementation(), platform.python_version()]
    versions = [
        f"{name} {importlib.metadata.version(name)}" for name in sorted({*_ON_THIS_SIDE, *shown()})
    ]
    state = hashlib.sha256(repr([*python, *versions]).encode())
    for path in judging_files(package):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        around = (package, course().folder, course().solutions_folder)
        inside = next(each.parent for each in around if path.is_relative_to(each.parent))
        state.update(f"{path.relative_to(inside).as_posix()}\0{content}\n".encode())
    return state.hexdigest()[:32]


def content_of(submission: Submission) -> str:
    """A hash of what was read of a submission."""
    cells = (f"{cell.label}\0{cell.source}" for cell in submission.cells)
    return digest([*cells, "problems", *submission.problems])


@dataclass(frozen=True)
class _Written:
    """A slice's code: a hash of it with its cells numbered, and one of its syntax trees alone."""

    key: str = "missing"
    cells: tuple[str, ...] = ()
    tree: str = "missing"
    has_code: bool = False
    is_broken: bool = False
    sees_itself: bool = False


_Parts = Sequence[tuple[str, _Written]]  # an exercise's own, then those of others


def keys_of(submission: Submission, settings: str, exercises: Iterable[str] = ()) -> Keys:
    """The keys of one submission; an exercise's cover those that it calls or is checked beside.

    `settings` is the hash of all that judges in this run. `exercises`: these alone, in course
    order; all where none is named.
    """
    written = cache(partial(_written, submission))
    # A run of the whole notebook opens files, imports them, and has them under their names.
    rows = [f"{cell.notebook}\0{cell.index}\0{cell.source}" for cell in submission.cells]
    places = tuple(dict.fromkeys(cell.notebook for cell in submission.cells))
    everything = digest(["everything", *rows])
    all_cells = digest(["all", *(cell.source for cell in submission.cells)])
    slices, wholes = {}, {}
    for name in tuple(exercises) or syllabus().names:
        slices[name] = _of_slice(submission, settings, name, written)
        text = CanonicalKey(digest([name, everything]), places)
        alike = _alike(text, settings) if written(name).has_code else None
        wholes[name] = Key(_code(text), all_cells, alike)
    return Keys(slices, wholes)


def _of_slice(
    submission: Submission, settings: str, name: str, written: Callable[[str], _Written]
) -> Key:
    cut, own = submission.slice(name), written(name)
    used = sorted({*cut.uses, *cut.absent, *syllabus()[name].beside}) if cut else []
    parts = [(each, written(each)) for each in (name, *used) if each in syllabus().names]
    cells = tuple(dict.fromkeys(cell for _, one in parts for cell in one.cells))
    rows = [f"{each} {one.key} {[*map(cells.index, one.cells)]}" for each, one in parts]
    if cut is None or cut.is_stub:  # of which a mark says what is nearly called so
        rows.append(f"near {submission.nearly_named(name)}")
    alone = str(submission.stands_alone(name))
    text = CanonicalKey(digest([*rows, alone]), cells)
    is_shared = own.has_code and not any(one.sees_itself for _, one in parts)
    shared = (_alike(text, settings), _if_right(parts, alone, settings)) if is_shared else ()
    return Key(_code(text), _answer(submission, name, own), *shared)


def _code(text: CanonicalKey) -> str:
    """It stays the same whatever judges the text, and whatever is handed in beside it."""
    return digest([text.key, *text.cells])


def _alike(text: CanonicalKey, settings: str) -> CanonicalKey:
    """It stays the same for others who hand the text in, and in other cells; not on other lines."""
    return CanonicalKey(digest([text.key, settings]), text.cells)


def _if_right(parts: _Parts, alone: str, settings: str) -> CanonicalKey | None:
    """It stays the same with other comments and blank space: a mark under it names no line."""
    if any(one.is_broken for _, one in parts):
        return None
    trees = [f"{name} {one.tree}" for name, one in parts]
    return CanonicalKey(digest([*trees, alone, settings]), ())


def _answer(submission: Submission, name: str, own: _Written) -> str:
    """It stays the same with other comments, whatever judges it, and whatever it calls.

    Points by hand are for it (`Entry.answer`). All that was read is in it where that may matter.
    """
    cut = submission.slice(name)
    if cut is None:  # what a person finds may stand where none was read
        is_there = submission.problems or submission.nearly_named(name)
        return "" if is_there else digest(["nothing"])
    if own.is_broken or own.sees_itself or not cut.written:
        return content_of(submission)
    return digest(["answer", *(_tree(unit.code, parsed(unit.code)) for unit in cut.written)])


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


def _written(submission: Submission, name: str) -> _Written:
    cut = submission.slice(name)
    if cut is None:
        return _Written()
    numbers: dict[str, int] = {}

    def numbered(label: str) -> int:
        return numbers.setdefault(label, len(numbers))

    units = [f"{numbered(u.label)}\0{u.line}\0{u.code}" for u in (*cut.units, *cut.written)]
    broken = [f"{numbered(b.label)}\0{b.line}\0{b.message}" for b in cut.broken]
    rest = [repr(cut.uses), repr(cut.absent), repr(cut.is_stub)]
    rest += handed_in_apart(cut, submission)
    parses = [parsed(unit.code) for unit in cut.units]
    trees = [_tree(unit.code, tree) for unit, tree in zip(cut.units, parses, strict=True)]
    key, tree = digest([*units, "end", *rest, *broken]), digest([*trees, "end", *rest])
    is_so = bool(cut.units), bool(broken), may_see_itself(parses, cut.absent)
    return _Written(key, tuple(numbers), tree, *is_so)


def _tree(code: str, tree: ast.Module | None) -> str:
    """What code says but for comments and blank space."""
    try:
        return code if tree is None else ast.dump(tree)
    except (RecursionError, ValueError):  # deeper than can be followed, a number of many digits
        return code
