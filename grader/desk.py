"""Answers `check`, `hint` and `progress` in the notebook's own kernel; keeps no file."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from .records import Mark, Verdict
from .report.notebook import Card, Notice, Overview
from .syllabus import syllabus

_checked: dict[str, Mark] = {}  # the last mark of each exercise in this kernel
_hinted: Counter[str] = Counter()
_preparing: list[threading.Thread] = []


def prepare() -> None:
    """Load in the background what takes the first check a second; draws no random number."""
    if not _preparing:
        _preparing.append(threading.Thread(target=_load, name="prepare checks", daemon=True))
        _preparing[0].start()


def _load() -> None:
    with contextlib.suppress(ImportError):  # the check itself will say so
        importlib.import_module("torch._dynamo")  # which PyTorch loads for dispatch modes
        from .kernel import checks

        checks()


def check_exercise(exercise: Any) -> Card | Notice:
    """The card of one exercise, or a notice where this is none."""
    name = _name_of(exercise)
    if name is None:
        return _unknown(exercise)
    if isinstance(exercise, str):
        return Notice("Nothing was checked", (f"Give the exercise itself: check({name})",))
    from .examiner import mark_here

    for thread in _preparing:
        thread.join()
    mark = mark_here(name, exercise)
    _checked[name] = mark
    return Card(mark)


def next_hint(exercise: Any) -> Notice:
    """All hints given so far and the next one."""
    from .hints import steps

    name = _name_of(exercise)
    if name is None:
        return _unknown(exercise)
    found = steps(name)
    if not found:
        return Notice(f"{name} has no hints here", ("The notebook's own are below the exercise.",))
    _hinted[name] = min(_hinted[name] + 1, len(found))
    given = tuple(f"{n}. {step}" for n, step in enumerate(found[: _hinted[name]], 1))
    left = len(found) - len(given)
    last = f"hint({name}) again gives the next of {len(found)}." if left else "That was the last."
    return Notice(f"Hints for {name}", (*given, last))


def overview(folder: Path | None = None) -> Overview:
    """The state of each exercise: marks of this kernel, else what the saved notebooks hold."""
    from .submission import load_submission

    saved = load_submission(folder or Path.cwd(), syllabus().names, learner="you")
    rows = []
    for exercise in syllabus().exercises:
        mark = _checked.get(exercise.name)
        if mark is not None:
            state = str(mark.verdict)
        else:
            found = saved.slice(exercise.name)
            if found is None:
                state = "not in this folder's notebooks"
            elif found.is_stub:
                state = str(Verdict.NOT_STARTED)
            else:
                state = "written, not checked yet"
        rows.append((exercise.chapter, exercise.name, state))
    return Overview(tuple(rows))


def _name_of(exercise: Any) -> str | None:
    """The exercise that is meant: by a function's or class's own name."""
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", None)
    return name if isinstance(name, str) and name in syllabus().names else None


def _unknown(exercise: Any) -> Notice:
    name = exercise if isinstance(exercise, str) else getattr(exercise, "__name__", None)
    if not isinstance(name, str):
        made = type(exercise).__name__
        if made in syllabus().names:
            return Notice("Nothing was checked", (f"Give the class itself: check({made})",))
        told = f"This is {made} and no function or class: give the exercise itself, check(softmax)."
        return Notice("Nothing was checked", (told,))
    near = difflib.get_close_matches(name, syllabus().names, n=3, cutoff=0.5)
    told = f"No exercise is called {name!r}; an exercise is known by its name."
    guess = (
        f"Did you mean {' or '.join(near)}?"
        if near
        else f"There are: {', '.join(syllabus().names)}."
    )
    return Notice("Nothing was checked", (told, guess))
