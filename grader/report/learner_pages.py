"""Writes the learners' pages of a report, in several processes where many; counts none."""

import multiprocessing
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from ..gradebook.store import Gradebook
from . import pages
from .classroom import Classroom
from .whole_files import replace_file

_FEW = 400  # pages that one process has written before another would have begun
_MOST = 8  # processes
FOLDER = "learners"
Shared = Mapping[str, list[str]]  # the learners of each page


@contextmanager
def learner_pages(folder: Path, target: Path, shared: Shared, few: int = _FEW) -> Iterator[None]:
    """Write all of them while the caller does something else; they are there at the end."""
    processes = min(os.cpu_count() or 1, _MOST)
    if len(shared) < few or processes == 1:
        _write(folder, target, shared)
        yield
        return
    names = [*shared]
    parts = [{name: shared[name] for name in names[n::processes]} for n in range(processes)]
    # Not forked: the caller may have threads.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context) as pool:
        written = [pool.submit(_write, folder, target, part) for part in parts]
        yield
        for each in written:
            each.result()


def _write(folder: Path, target: Path, shared: Shared) -> None:
    page_of = {names[0]: page for page, names in shared.items()}
    with Gradebook.open(folder, include_absent=True) as book:
        room, answers = Classroom(book), pages.Answers()
        for learner in room.learners(page_of):
            page = page_of[learner.name]
            submission, sources = room.marks(learner), room.sources(learner)
            text = pages.learner_page(submission, sources, answers, shared[page])
            replace_file(target / FOLDER / page, text)
