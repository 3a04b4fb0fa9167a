"""Finds what an exercise is judged against, by its name; knows no candidate.

Every module of the course's misconceptions that has SUBJECTS is read: there is no list to keep.
"""

import importlib
import pkgutil
from functools import cache

from ...curriculum.course import course
from ...curriculum.syllabus import syllabus
from ..interpretation.module_subject import ModuleSubject
from .function_subject import FunctionSubject


def function_subject(exercise: str) -> FunctionSubject | None:
    """The subject of a function exercise; None for modules and unknown names."""
    return _subjects().get(exercise)


def module_subject(exercise: str, other: bool = False) -> ModuleSubject | None:
    """The subject of a module exercise, at the usual sizes or at others; None if there is none."""
    found = course().find("modules.module_subjects", "module_subject")
    return found(exercise, other) if found is not None else None


def function_subjects() -> tuple[FunctionSubject, ...]:
    """All of them, chapter by chapter."""
    return tuple(_subjects().values())


def entry_point(exercise: str) -> str | None:
    """The harness function that probes call in place of the exercise, where there is one."""
    subject = function_subject(exercise)
    return subject.entry if subject is not None else None


@cache
def _subjects() -> dict[str, FunctionSubject]:
    found: dict[str, FunctionSubject] = {}
    for each in pkgutil.iter_modules([str(course().misconceptions)]):
        module = importlib.import_module(f"{course().package}.misconceptions.{each.name}")
        found |= {subject.exercise: subject for subject in getattr(module, "SUBJECTS", ())}
    return {name: found[name] for name in syllabus().names if name in found}
