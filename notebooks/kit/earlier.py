"""The learner's own exercises from the other chapters; an unsolved one is lent by the reference.

`from kit.earlier import softmax` reads the notebooks beside this folder, takes the learner's
softmax out of them and runs that alone. So a later chapter works with what they built, and still
opens for somebody who skipped an earlier one. Save a notebook before another one asks for it.
Where the outputs below will differ for a reason of that kind, a line under the import says so.
In a bundle without the solutions nothing is lent: a line says which chapter to solve first.
"""

import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from grader.curriculum.syllabus import syllabus
from grader.notebook.api import judge_handed_out, note_lent
from grader.notebook.saved_work import saved_work
from grader.submission import Slice, Submission
from grader.worker.namespace import Namespace

FOLDER = Path(__file__).resolve().parent.parent
_lent: list[str] = []  # since the last line about them
_told: set[str] = set()


def __getattr__(name: str) -> Any:
    """The exercise called `name`: every one of the course is an attribute of this module."""
    if name not in syllabus().names:
        raise AttributeError(f"{__name__} has no {name!r}: no exercise is called that")
    return _exercise(name, saved_work(FOLDER))


@cache
def _exercise(name: str, submission: Submission) -> Any:
    """One exercise as the notebooks stand; an edited one is another submission."""
    wanted = (name, *syllabus().needs(name))
    found = {each: submission.slice(each) for each in wanted}
    lent = {each: _reference(each) for each in wanted if not _is_begun(found[each])}
    if hidden := [each for each in _used(name, submission, lent) if not _is_here(each)]:
        raise SolveFirst(hidden)
    if name in lent:
        if spoiled := getattr(found[name], "broken", ()):
            return lend(name, f"cannot be read ({spoiled[0].label}, line {spoiled[0].line})")
        return lend(name)
    own = submission.slice(name, lent)
    assert own is not None  # it is begun
    try:
        return _own(name, own, submission)
    except Exception as error:
        return lend(name, f"does not run yet ({error!r})")


class SolveFirst(ImportError):
    """An earlier exercise is not written, and its solution is not part of this bundle."""

    def __init__(self, names: list[str]) -> None:
        chapters = sorted({syllabus()[name].chapter for name in names})
        told = f"{', '.join(names)}: write and save this first, in {', '.join(chapters)}."
        super().__init__(told)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the one line."""
        return [str(self)]


def _used(name: str, submission: Submission, lent: dict[str, str]) -> list[str]:
    """Which of these an exercise stands on: itself, where it is one, or those that it calls."""
    if name in lent:
        return [name]
    own = submission.slice(name)
    return [each for each in lent if own is not None and each in {*own.uses, *own.absent}]


def _is_here(name: str) -> bool:
    """Whether the reference of an exercise can be lent: a released bundle has those it reveals."""
    try:
        return find_spec(f"solutions.{_module(name)}") is not None
    except ModuleNotFoundError:
        return False


def _own(name: str, own: Slice, submission: Submission) -> Any:
    """The learner's, with a line where it does not pass: what follows then differs for that.

    What its check wants beside it is the learner's own as well: its parts have their names.
    """
    namespace = Namespace()
    for unit in own.units:
        namespace.execute(unit.code, unit.label, unit.line)
    exercise = getattr(namespace.module, name)
    with suppress(SolveFirst):
        for each in syllabus()[name].beside:
            setattr(namespace.module, each, _exercise(each, submission))
    if why := judge_handed_out(name, exercise):
        code = "".join(unit.code for unit in own.units)
        _tell(f"Your saved {name} ({own.units[-1].label}) {why}. What follows may differ.", code)
    return exercise


def lend(name: str, why: str = "") -> Any:
    """The reference's, which `check` knows as such whatever is made of it.

    raises: SolveFirst where there is none
    """
    if not _is_here(name):
        raise SolveFirst([name])
    note_lent(name)
    if why:
        _tell(f"Your {name} {why}: the reference lends you its own.")
    else:
        _lent.append(name)
        _after_the_cell(_tell_lent)
    namespace = Namespace()
    namespace.execute(_reference(name), "reference", 1)
    return getattr(namespace.module, name)


def _tell_lent(*_: Any) -> None:
    """One line for all that a cell imports."""
    names = [name for name in dict.fromkeys(_lent) if name not in _told]
    _told.update(names)
    _lent.clear()
    if names:
        _tell(f"Lent by the reference until your own is saved: {', '.join(names)}.")


def _tell(line: str, code: str = "") -> None:
    """Once in this kernel; of other code once more."""
    if line + code not in _told:
        _told.add(line + code)
        print(line)


def _after_the_cell(say: Any) -> None:
    """Have it said when the cell has run; at once where there is no notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        say()
    elif say not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", say)


def _is_begun(own: Slice | None) -> bool:
    return own is not None and bool(own.units) and not own.is_stub


def _reference(name: str) -> str:
    return f"from solutions.{_module(name)} import {name}"


def _module(name: str) -> str:
    return syllabus()[name].chapter.partition("_")[2]
