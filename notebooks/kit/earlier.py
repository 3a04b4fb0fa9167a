"""The learner's own exercises from the other chapters; an unsolved one is lent by the reference.

`from kit.earlier import softmax` reads the notebooks beside this folder, takes the learner's
softmax out of them and runs that alone. So a later chapter works with what they built, and still
opens for somebody who skipped an earlier one. Save a notebook before another one asks for it.
"""

import warnings
from functools import cache
from pathlib import Path
from typing import Any

from grader.submission import Slice, load_submission
from grader.syllabus import syllabus
from grader.worker.namespace import Namespace

FOLDER = Path(__file__).resolve().parent.parent


def __getattr__(name: str) -> Any:
    """The exercise called `name`: every one of the course is an attribute of this module."""
    if name not in syllabus().names:
        raise AttributeError(f"{__name__} has no {name!r}: no exercise is called that")
    return _exercise(name, _saved())


@cache
def _exercise(name: str, saved: tuple[tuple[str, int], ...]) -> Any:
    """One exercise as the notebooks stand; `saved` makes sure that an edited one is read anew."""
    submission = load_submission(FOLDER, syllabus().names, learner="you")
    wanted = (name, *syllabus().needs(name))
    found = {each: submission.slice(each) for each in wanted}
    lent = {each: _reference(each) for each in wanted if not _is_begun(found[each])}
    own = None if name in lent else submission.slice(name, lent)
    if name in lent and (spoiled := getattr(found[name], "broken", ())):
        where = f"{spoiled[0].label}, line {spoiled[0].line}"
        warnings.warn(f"{name} cannot be read ({where}): the reference is used", stacklevel=3)
    namespace = Namespace()
    try:
        _run(own, namespace) if own else namespace.execute(lent[name], "reference", 1)
    except Exception as error:
        warnings.warn(f"{name} does not run yet ({error!r}): the reference is used", stacklevel=3)
        namespace.execute(_reference(name), "reference", 1)
    return getattr(namespace.module, name)


def _run(own: Slice, namespace: Namespace) -> None:
    for unit in own.units:
        namespace.execute(unit.code, unit.label, unit.line)


def _is_begun(own: Slice | None) -> bool:
    return own is not None and bool(own.units) and not own.is_stub


def _reference(name: str) -> str:
    module = syllabus()[name].chapter.partition("_")[2]
    return f"from solutions.{module} import {name}"


def _saved() -> tuple[tuple[str, int], ...]:
    """The notebooks and when each was saved last."""
    return tuple((path.name, path.stat().st_mtime_ns) for path in sorted(FOLDER.glob("*.ipynb")))
