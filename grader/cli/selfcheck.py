"""Checks a learner's own notebooks in the terminal: once, or what has changed at each save.

With a notebook, the chapter that a learner goes on to is watched too: it lies in the same folder.
"""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..candidate.records import SubmissionMarks
from ..curriculum.given import with_given
from ..curriculum.syllabus import syllabus
from ..marking.examiner import Examiner
from ..notebook.overview import Overview
from ..notebook.own_files import saved_file
from ..notebook.progress_file import Remembered, standings
from ..report.terminal import show_mark
from ..report.text import visible
from ..submission import Slice
from ..wall.isolation_layers import available
from .console import say
from .workplace import keep

_PAUSE = 0.3  # seconds between looks


def check_submission(path: Path, exercise: str | None = None) -> SubmissionMarks:
    """The marks of one submission, or of one exercise of it; of a single file, its chapters'."""
    submission = with_given(saved_file(path))
    names = [exercise] if exercise else list(syllabus().names)
    if not exercise and path.is_file():
        course = syllabus().exercises
        chapters = {each.chapter for each in course if submission.slice(each.name)}
        names = [each.name for each in course if each.chapter in chapters] or names
    with own_examiner() as examiner:
        found = examiner.mark(submission, names)
    # Those that these call are marked as well.
    return replace(found, marks=tuple(mark for mark in found.marks if mark.name in names))


def own_examiner() -> Examiner:
    """An examiner for a learner's own code.

    Its author runs it in a notebook anyway: where there is no isolation it is checked without.
    """
    return Examiner(trust=not available())


def saves(path: Path) -> Iterator[Path]:
    """The file itself, then each file that is written: it, or a notebook beside it.

    For a folder, its notebooks, each time one of them is written.
    """
    last = _times(path)
    if not path.is_dir():
        yield path
    while True:
        time.sleep(_PAUSE)
        now = _times(path)
        yield from (each for each, moment in now.items() if last.get(each) != moment)
        last |= now


def _times(path: Path) -> dict[Path, int]:
    """When each was written; an editor that replaces a file may have taken it away just now."""
    folder = path if path.is_dir() else path.parent
    beside = folder.glob("*.ipynb") if path.is_dir() or path.suffix == ".ipynb" else ()
    found = {}
    for each in sorted({*beside, *([] if path.is_dir() else [path])}):
        try:
            found[each] = each.stat().st_mtime_ns
        except OSError:
            continue
    return found


def watch(path: Path, out: Console, saved: Iterable[Path]) -> None:
    """Check, of each file that is saved, the exercises that are written and have changed since."""
    known: dict[Path, dict[str, object]] = {}
    checked: dict[str, Remembered] = {}
    say(f"{path.name} is checked at each save. Ctrl-C ends this.", out)
    with own_examiner() as examiner:
        for file in saved:
            submission = with_given(saved_file(file))
            for problem in submission.problems:
                say(f"Not read: {visible(problem)}", out)
            written = {name: _written(submission.slice(name)) for name in syllabus().names}
            before = known.get(file, {})
            changed = [name for name, code in written.items() if code and code != before.get(name)]
            known[file] = written
            if not changed:
                continue
            out.rule(Text(f"{time.strftime('%H:%M:%S')} {file.name}"))
            marks = examiner.mark(submission, changed).marks
            keep(file.parent, marks)
            for mark in marks:
                if mark.name in changed:
                    checked[mark.name] = Remembered(mark.verdict, mark.points)
                    show_mark(out, mark)
            here = syllabus()[changed[-1]].chapter
            say(Overview(standings(file.parent, checked, {}), here).line, out)


def _written(cut: Slice | None) -> object:
    """What tells an exercise from what it was before; nothing where it is not begun."""
    return None if cut is None or cut.is_stub else (cut.units, cut.broken)
