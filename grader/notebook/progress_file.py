"""Remembers beside the notebooks what checks and guesses came to; marks and shows nothing."""

import datetime
import os
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..candidate.records import Mark, Verdict
from ..curriculum.syllabus import Exercise, syllabus
from ..report.whole_files import replace_file
from . import guesses
from .guesses import Guess
from .saved_work import saved_work

FILE, ASIDE = "progress.toml", "progress.toml.unread"
_HEAD = (
    "# What your checks and guesses came to, for `progress()`. Delete what shall be forgotten.\n"
)


@dataclass(frozen=True)
class Remembered:
    """What the last check of an exercise came to."""

    verdict: Verdict
    points: float
    day: str = ""  # empty: in this session
    tries: int = 0  # checks until it passed


@dataclass(frozen=True)
class ExerciseProgress:
    """Where a learner is with one exercise."""

    exercise: Exercise
    state: str  # a verdict's word, or what is known without one
    points: float = 0.0
    day: str = ""
    verdict: Verdict | None = None

    @property
    def has_passed(self) -> bool:
        """Whether it passed when it was last checked."""
        return self.verdict is Verdict.PASSED


def recall(folder: Path) -> dict[str, Remembered]:
    """What is written there; nothing of what is no exercise or cannot be read."""
    rows, found = _read(folder) or {}, {}
    for name in syllabus().names:
        with suppress(KeyError, TypeError, ValueError):
            row = rows[name]
            verdict, day = Verdict(row["verdict"]), datetime.date.fromisoformat(str(row["day"]))
            found[name] = Remembered(
                verdict, float(row["points"]), day.isoformat(), int(row.get("tries", 0))
            )
    return found


def recall_guesses(folder: Path) -> dict[str, Guess]:
    """What was guessed, by question, in the order in which it was first guessed."""
    return guesses.read(_read(folder) or {})


def _read(folder: Path) -> dict[str, Any] | None:
    """All that is written there; None where it is no TOML."""
    with suppress(OSError):
        text = (folder / FILE).read_bytes().decode("utf-8-sig", "replace")
        try:
            return tomllib.loads(text)
        except (ValueError, RecursionError):
            return None
    return {}


def unread(folder: Path) -> str:
    """What is said where the file held what nobody can read, as a conflict of Git's; else empty."""
    if not (folder / ASIDE).exists():
        return ""
    return (
        f"{FILE} could not be read, and was put aside as {ASIDE}: what it holds is not shown here. "
        "Mend it and give it its name again, or delete it."
    )


def remember(folder: Path, *marks: Mark) -> None:
    """Write what checks came to, where notebooks lie; a folder that takes no file is let be."""
    today, known = datetime.date.today().isoformat(), recall(folder)
    for mark in marks:
        known[mark.name] = remembered(mark, known.get(mark.name), today)
    _write(folder, known, recall_guesses(folder).values())


def remember_guess(folder: Path, guess: Guess) -> None:
    """Write what was guessed, in the same file and on the same terms."""
    known = {**recall_guesses(folder), guess.question: guess}
    _write(folder, recall(folder), known.values())


def _write(folder: Path, known: Mapping[str, Remembered], guessed: Iterable[Guess]) -> None:
    if not any(folder.glob("*.ipynb")):
        return
    rows = [_row(name, known[name]) for name in syllabus().names if name in known]
    with suppress(OSError):
        if _read(folder) is None and not (folder / ASIDE).exists():
            os.replace(folder / FILE, folder / ASIDE)  # the first one holds the most
        replace_file(folder / FILE, "".join([_HEAD, *rows, *guesses.written(guessed)]))


def _row(name: str, row: Remembered) -> str:
    tries = f"tries = {row.tries}\n" if row.tries else ""
    verdict = f'verdict = "{row.verdict}"'
    return f"\n[{name}]\n{verdict}\npoints = {row.points:g}\nday = {row.day}\n{tries}"


def remembered(mark: Mark, before: Remembered | None, day: str = "") -> Remembered:
    """What there is to remember of a check, after what was `before`; a pass ends the counting."""
    tries = before.tries if before else 0
    is_try = mark.verdict not in (Verdict.NOT_STARTED, Verdict.MISSING, Verdict.BLOCKED)
    has_passed = before is not None and before.verdict is Verdict.PASSED
    return Remembered(mark.verdict, mark.points, day, tries + (is_try and not has_passed))


def standings(
    folder: Path, checked: Mapping[str, Remembered], notes: Mapping[str, str]
) -> tuple[ExerciseProgress, ...]:
    """Every exercise: what this session or an earlier one knows, else what the notebooks hold.

    `notes` are what is said of exercises that have not been checked.
    """
    known = {**recall(folder), **checked}
    try:
        saved = saved_work(folder)
    except OSError:  # the folder was deleted, or may not be read
        saved = None
    found = []
    for exercise in syllabus().exercises:
        name = exercise.name
        row, cut = known.get(name), saved.slice(name) if saved else None
        is_written = cut is not None and not cut.is_stub
        if row is not None and row.verdict is Verdict.NOT_STARTED and is_written:
            row = None  # it was begun since
        if row is not None and (name in checked or name not in notes):
            found.append(
                ExerciseProgress(exercise, str(row.verdict), row.points, row.day, row.verdict)
            )
            continue
        if cut is None:
            state = "not in this folder's notebooks"
        else:
            state = str(Verdict.NOT_STARTED) if cut.is_stub else "written, not checked yet"
        note = notes.get(name)
        found.append(ExerciseProgress(exercise, f"{state} ({note})" if note else state))
    return tuple(found)


def next_after(name: str, passed: set[str]) -> Exercise | None:
    """The exercise to go on with: the first left in the chapter, else after it, else before it."""
    course, here = syllabus().exercises, syllabus()[name]
    place = course.index(here)
    left = [each for each in (*course[place:], *course[:place]) if each.name not in passed]
    return next((each for each in left if each.chapter == here.chapter), next(iter(left), None))
