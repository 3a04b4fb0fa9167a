"""How a test function is marked as a check of an exercise, and which checks there are; runs none.

A check's name has an effect: it seeds what the check draws. A function's stands behind its `def`;
those of a table's rows are noted where the table becomes checks, in the file that has it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

Reference = Callable[..., Any]  # the solution of an exercise
Check = Callable[..., None]
_NOTED = "names_of_rows"  # in a file of checks: the names that stand in its tables


def check(
    exercise: str, *, weight: int = 1, essential: bool = False, harness: str | None = None
) -> pytest.MarkDecorator:
    """Mark a test function as a check of `exercise`; its docstring is the title learners read.

    `essential`: without it the exercise earns nothing. `harness`: source that is run beside the
    learner's code, for what a call from outside cannot do; it holds no answers.
    """
    return pytest.mark.check(exercise=exercise, weight=weight, essential=essential, harness=harness)


def row(exercise: str, title: str, test: Check, **marks: Any) -> Check:
    """The check that a row of a table is: `test` under this title, marked as `check` does it."""
    test.__doc__ = title
    marked: Check = check(exercise, **marks)(test)
    return marked


def put(file: dict[str, Any], checks: Iterable[tuple[str, Check]]) -> None:
    """Put the checks of a table where functions stand, under their names; `file` is `globals()`."""
    names: list[str] = file.setdefault(_NOTED, [])
    for name, test in checks:
        names.append(name)
        file[name] = test


def written(folder: Path, files: Mapping[Path, ModuleType]) -> list[tuple[str, str]]:
    """The files of all checks, which were imported as `files`, and the names that stand there."""
    found = []
    for path in folder.glob("check_*.py"):
        names = re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
        names += getattr(files.get(path), _NOTED, [])
        found += [(path.name, name) for name in names]
    return found
