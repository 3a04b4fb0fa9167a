"""Where the parts of a course lie: the one object that the engine asks; knows no exercise.

A course is a package: a folder with `course.toml` and the parts that `Course` names. Which one is
marked says the environment variable GRADER_COURSE, or `grader --course`; else the one that comes
with the grader.
"""

import importlib
import os
import sys
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .complaint import Complaint

VARIABLE = "GRADER_COURSE"
_OWN = Path(__file__).resolve().parents[1] / "course"
_FILE = "course.toml"


class CourseError(Complaint):
    """A folder is no course; the message says what is missing."""


@dataclass(frozen=True)
class Course:
    """One course.

    `syllabus.toml` in its folder is all that it must have, beside solutions and checks. It may have
    `hints.toml`, `reasons.toml` and `other_ways.toml`; packages `misconceptions` (data files, and
    modules with SUBJECTS) and `modules` (module_subjects.py); and `expected_forms.py` for bundles.
    """

    title: str
    folder: Path
    package: str  # as Python imports the folder
    solutions: str  # the package of the references: a module for each chapter
    notebooks: Path

    @property
    def checks(self) -> Path:
        """The folder of the hidden checks, check_*.py."""
        return self.folder / "checks"

    @property
    def misconceptions(self) -> Path:
        """The folder of the data files, and of the inputs that tell wrong turns apart."""
        return self.folder / "misconceptions"

    @property
    def solutions_folder(self) -> Path:
        """The folder of the references; it need not be there, as in a learner's bundle."""
        spec = find_spec(self.solutions) if _is_there(self.solutions) else None
        places = spec.submodule_search_locations if spec is not None else None
        return Path(next(iter(places))) if places else self.folder / "solutions"

    def data(self, name: str) -> dict[str, Any]:
        """What a data file of the course's folder says; empty where there is none."""
        path = self.folder / name
        return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}

    def find(self, module: str, name: str, instead: Any = None) -> Any:
        """What a module of the course calls by a name; `instead` where it has no such module."""
        path = f"{self.package}.{module}"
        return getattr(importlib.import_module(path), name, instead) if _is_there(path) else instead


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even what it lies in
        return False


@cache
def course() -> Course:
    """The course that is marked in this process; raises CourseError."""
    chosen = os.environ.get(VARIABLE)
    return load(Path(chosen)) if chosen else load(_OWN)


def choose(folder: Path) -> None:
    """Mark another course, in this process and in those that it starts; raises CourseError.

    To be called before anything of a course is read.
    """
    load(folder)
    os.environ[VARIABLE] = str(folder.resolve())
    course.cache_clear()


def load(folder: Path) -> Course:
    """The course of a folder, which can be imported from then on; raises CourseError."""
    folder = folder.resolve()
    try:
        said = tomllib.loads((folder / _FILE).read_text(encoding="utf-8"))
    except OSError:
        raise CourseError(f"{folder} is no course: it has no {_FILE}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CourseError(f"{folder / _FILE}: {error}") from error
    if not (folder / "syllabus.toml").is_file():
        raise CourseError(f"{folder} is no course: it has no syllabus.toml")
    package = "grader.course" if folder == _OWN else folder.name
    if folder != _OWN and str(folder.parent) not in sys.path:
        sys.path.append(str(folder.parent))
    notebooks = (folder / said.get("notebooks", "notebooks")).resolve()
    if not notebooks.is_dir():  # a wheel carries them inside
        notebooks = folder / "notebooks"
    solutions = said.get("solutions", f"{package}.solutions")
    return Course(said.get("title", folder.name), folder, package, solutions, notebooks)
