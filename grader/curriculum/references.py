"""Finds the reference of an exercise, as an object and as the source that a worker may be given.

It takes no PyTorch: what shows marks asks it too.
"""

import importlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from ..submission import Submission, load_submission
from .course import course
from .syllabus import syllabus


@cache
def reference(exercise: str) -> Any:
    """The solution's function or class."""
    chapter = syllabus()[exercise].chapter
    module = importlib.import_module(f"{course().solutions}.{chapter.partition('_')[2]}")
    return getattr(module, exercise)


def solutions_of(chapter: str) -> Path:
    """The file of a chapter's solutions."""
    return course().solutions_folder / f"{chapter.partition('_')[2]}.py"


@cache
def reference_submission() -> Submission:
    """The solutions, read as what a learner who knows everything would hand in."""
    return load_submission(course().solutions_folder, syllabus().names, learner="solutions")


@cache
def reference_source(exercise: str) -> str:
    """Source of one exercise with all that it needs, and nothing of any other.

    A worker that marks a later exercise gets this; it must not hold that exercise's own answer,
    so whole chapters are never sent.
    """
    cut = reference_submission().slice(exercise)
    if cut is None:
        raise KeyError(f"solutions do not define {exercise!r}")
    return "\n\n".join(unit.code for unit in cut.units)


def reference_sources(exercises: Iterable[str]) -> dict[str, str]:
    """Sources by name."""
    return {name: reference_source(name) for name in exercises}
