"""Leaves no gradebook behind of a first run that is refused; refuses none."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..cohort.lock import held
from ..curriculum.complaint import Complaint
from ..gradebook.database import FILE
from ..gradebook.store import REPORT, Gradebook
from .whose_work import CHOSEN, TRIED

# What a run makes; anything else in its folder is somebody's own.
_MADE = (*(f"{FILE}{end}" for end in ("", "-journal", "-wal", "-shm")), REPORT, TRIED, CHOSEN)


@contextmanager
def held_for_a_run(folder: Path) -> Iterator[None]:
    """Hold the folder of a run; raises Complaint.

    Where a run is refused that was the first, and nobody was marked, what it has made there is
    taken away: it would be taken for a run that was interrupted. The file that holds the folder
    stays, as others may wait for it.
    """
    with held(folder):
        before = {each.name for each in folder.iterdir()}
        try:
            yield
        except Complaint:
            if FILE not in before and not any(map(_has_marks, (folder, folder / TRIED))):
                _remove(folder / name for name in _MADE if name not in before)
            raise


def _has_marks(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return False
    with Gradebook.open(folder) as book:
        return book.count() > 0


def _remove(paths: Iterable[Path]) -> None:
    for each in paths:
        with suppress(OSError):
            shutil.rmtree(each) if each.is_dir() else each.unlink()
