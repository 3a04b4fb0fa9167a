"""Checks a notebook in the terminal at each save, as far as it has changed; marks nothing."""

import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..course.syllabus import syllabus
from ..report.terminal import mark_text
from ..report.text import visible
from ..submission import Slice, load_submission
from .console import say
from .selfcheck import own_examiner
from .workplace import keep

_PAUSE = 0.3  # seconds between looks


def saves(path: Path) -> Iterator[None]:
    """Now, and each time the file is written."""
    last: int | None = None
    while True:
        try:
            now: int | None = path.stat().st_mtime_ns
        except OSError:  # an editor replaces it
            now = last
        if now != last:
            last = now
            yield
        time.sleep(_PAUSE)


def watch(path: Path, out: Console, moments: Iterable[None]) -> None:
    """Check at each of the moments the exercises that are written and have changed since."""
    known: dict[str, object] = {}
    say(f"{path.name} is checked at each save. Ctrl-C ends this.", out)
    with own_examiner() as examiner:
        for _ in moments:
            try:
                submission = load_submission(path, syllabus().names)
            except OSError:  # half saved
                continue
            for problem in submission.problems:
                say(f"Not read: {visible(problem)}", out)
            written = {name: _written(submission.slice(name)) for name in syllabus().names}
            changed = [name for name, code in written.items() if code and code != known.get(name)]
            known = written
            if not changed:
                continue
            out.rule(Text(f"{time.strftime('%H:%M:%S')} {path.name}"))
            marks = examiner.mark(submission, changed).marks
            keep(path.parent, marks)
            for mark in marks:
                if mark.name in changed:
                    out.print(mark_text(mark))


def _written(cut: Slice | None) -> object:
    """What tells an exercise from what it was before; nothing where it is not begun."""
    return None if cut is None or cut.is_stub else (cut.units, cut.broken)
