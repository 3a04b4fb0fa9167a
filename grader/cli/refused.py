"""Leaves no gradebook behind of a first run that is refused; refuses none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..cohort.lock import FILE as LOCK
from ..cohort.lock import held
from ..curriculum.complaint import Complaint
from ..gradebook.database import FILE
from ..gradebook.store import Gradebook


@contextmanager
def held_for_a_run(folder: Path) -> Iterator[None]:
    """Hold the folder of a run; raises FolderInUse.

    Where a run is refused that was the first, and nobody was marked, what it has made there is
    taken away: it would be taken for a run that was interrupted. The file that holds the folder
    stays, as others may wait for it.
    """
    with held(folder):
        before = {LOCK, *(each.name for each in folder.iterdir())}
        try:
            yield
        except Complaint:
            if FILE not in before and not any(map(_has_marks, (folder, folder / "attempts"))):
                _remove_all_but(folder, before)
            raise


def _has_marks(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return False
    with Gradebook.open(folder) as book:
        return book.count() > 0


def _remove_all_but(folder: Path, names: set[str]) -> None:
    with suppress(OSError):
        for each in folder.iterdir():
            if each.name not in names:
                shutil.rmtree(each) if each.is_dir() else each.unlink()
