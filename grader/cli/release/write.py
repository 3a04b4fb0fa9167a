"""Writes a bundle's files into a folder; decides what belongs to it nowhere else."""

import json
import re
import shutil
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from ...curriculum.complaint import Complaint
from ...curriculum.course import course
from ...curriculum.references import solutions_of
from ...curriculum.syllabus import syllabus
from ...wall.packages import needed_by
from .contents import BUNDLE, GRADER, kit_files, refuse_answers, refuse_gaps, shared_modules

_ROOT = GRADER.parent
_AS_THEY_ARE = ("LICENSE", "environment.yml", "settings")
_PROJECT = "project.toml"  # becomes the bundle's pyproject.toml
_IGNORED = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints", ".DS_Store")
_HANDING_IN = """`submit()`, after `from grader import submit`, hands in the work in the folder as
it is saved: notebooks, modules of your own, and small data. In a terminal, `grader` does the same:
`grader check NOTEBOOK`, `grader submit NOTEBOOK`, `grader receipts`.

"""
_CHECKER = f"""{_HANDING_IN}Your checks are answered by {{address}}. Your instructor has a token for
you: type `grader login` in a terminal once and paste it.
"""
_HUB = f"""{_HANDING_IN}Your checks are answered by {{address}}, a service of JupyterHub. In
JupyterHub you need no token. Elsewhere, request one on its page Token, type `grader login` in a
terminal once and paste it.
"""
_NO_CHECKER = """
`check` looks at what needs no answer: whether your code takes and gives what it should, whether
gradients flow, and the like; `progress()` lists what is written. The rest is checked when your
instructor marks your notebooks: hand them in as they say. `submit` and what a terminal's `grader`
does need a checker, which this bundle has none of.
"""


@dataclass(frozen=True)
class Release:
    """What goes into a bundle: chapters, those whose solutions are shown, the checker's address.

    `hub`: the checker is a service of the JupyterHub in which the bundle is used.
    """

    chapters: tuple[str, ...]
    reveal: tuple[str, ...] = ()
    checker: str = ""
    hub: bool = False


def write_bundle(out: Path, release: Release) -> None:
    """Write the bundle into a new or empty folder; raises Complaint."""
    if course().folder != GRADER / "course":
        raise Complaint("a bundle is made of the course that comes with the grader, of no other")
    notebooks = [course().notebooks / f"{chapter}.ipynb" for chapter in release.chapters]
    if missing := [path.name for path in notebooks if not path.is_file()]:
        raise Complaint(f"there is no {missing[0]}; run this from a clone of the course")
    if out.exists() and any(out.iterdir()):
        raise Complaint(f"{out} is not empty; choose another folder")
    refuse_gaps(release.chapters, release.reveal, notebooks)
    refuse_answers(notebooks, release.reveal)
    shared = shared_modules()
    for path in notebooks:
        _copy(path, out / "notebooks" / path.name)
    for path in kit_files(notebooks):
        _copy(path, out / "notebooks" / path.relative_to(course().notebooks))
    for name in _AS_THEY_ARE:
        _copy(_ROOT / name, out / name)
    for path in shared:
        _copy(path, out / "grader" / path.relative_to(GRADER))
    shutil.copytree(BUNDLE, out, ignore=_IGNORED, dirs_exist_ok=True)
    (out / _PROJECT).unlink()
    _cut_syllabus(out / "grader" / "course", release)
    settings = {"checker": release.checker, "hub": release.hub}
    _write(out / "grader" / "notebook" / "bundle" / "course.json", json.dumps(settings))
    if release.reveal:
        _copy(course().solutions_folder / "__init__.py", out / "solutions" / "__init__.py")
        for chapter in release.reveal:
            _copy(solutions_of(chapter), out / "solutions" / solutions_of(chapter).name)
    _set_up(out, release)


def _cut_syllabus(folder: Path, release: Release) -> None:
    """Leave out what belongs to other chapters."""
    kept = {*release.chapters, *release.reveal}
    names = {each.name for each in syllabus().exercises if each.chapter in kept}
    path = folder / "syllabus.toml"
    head, *blocks = path.read_text(encoding="utf-8").split("[[chapter]]\n")
    blocks = [each for each in blocks if tomllib.loads(each.split("[[")[0])["name"] in kept]
    _write(path, "[[chapter]]\n".join([head, *blocks]))
    path = folder / "hints.toml"
    parts = re.split(r"^(?=\[\w+\]$)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    _write(path, "".join(p for p in parts if p[0] != "[" or p[1 : p.index("]")] in names))


def _set_up(out: Path, release: Release) -> None:
    """What installs the bundle and says how."""
    own = project()
    listed = [*own["dependencies"], *own["optional-dependencies"]["course"]]
    unneeded = {"packaging", "pytest", "rich", "typer", "pyseccomp"}  # these are the examiner's
    wanted = [each for each in listed if Requirement(each).name not in unneeded]
    filled = {
        '"@version@"': own["version"],
        '"@python@"': own["requires-python"],
        '"@dependencies@"': wanted,
        '"@packages@"': ["grader", *(["solutions"] if release.reveal else [])],
    }
    text = (BUNDLE / _PROJECT).read_text(encoding="utf-8")
    for mark, value in filled.items():
        text = text.replace(mark, json.dumps(value, indent=4))
    _write(out / "pyproject.toml", text)
    kept = locked_for([*wanted, "hatchling>=1.27"])
    _write(out / "requirements.lock", "\n".join(kept) + "\n")
    checked_by = (_HUB if release.hub else _CHECKER) if release.checker else _NO_CHECKER
    readme = (BUNDLE / "README.md").read_text(encoding="utf-8")
    _write(
        out / "README.md", readme.replace("@checker@\n", checked_by.format(address=release.checker))
    )


def project() -> dict[str, Any]:
    """What pyproject.toml says of the project; raises Complaint where there is none."""
    try:
        text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8")
    except OSError:
        raise Complaint("run this from a clone of the course") from None
    found: dict[str, Any] = tomllib.loads(text)["project"]
    return found


def locked_for(wanted: Iterable[str]) -> list[str]:
    """The lines of requirements.lock, with its comments, that these packages need."""
    needed = needed_by(wanted)
    lock = (_ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [line for line in lock if line.startswith("#") or _name(line) in needed]


def _name(line: str) -> str:
    return canonicalize_name(Requirement(line).name) if line else ""


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, ignore=_IGNORED)
    else:
        shutil.copyfile(source, target)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
