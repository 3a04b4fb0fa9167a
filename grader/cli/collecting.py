"""Puts a set of hand-ins in place of an older one, as a whole or not at all; marks none.

The set is written beside, in a hidden folder, and one rename of that folder decides that it counts.
What comes after writes nothing new: files take their places, and whoever is stopped there is told
so by `grade` (`cohort/attempts.py`) and goes on with the next `collect`.
"""

import os
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..cohort.attempts import DECIDED, HEAD
from ..curriculum.complaint import Complaint
from ..gradebook import tries
from ..gradebook.roster import table_of, write_rows
from ..gradebook.times import HandedInAt, moment, write_times
from ..service.ledger import HandIn, Ledger
from ..submission import find_submissions

_BEGUN = ".grader-collecting"


def collect_into(target: Path, store: Ledger, until: str, every: bool) -> int:
    """Write the hand-ins with their manifest, times and tries; how many there are.

    Raises Complaint where the folder holds what is not of them, and OSError; what was there
    before stays then.
    """
    target.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        _put(target)  # what an earlier one decided, and was stopped at
        number = _decide(target, store, until, every)
        _put(target)
    return number


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    import fcntl

    opened = os.open(target, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise Complaint(f"another `grader collect` writes into {target}") from None
    finally:
        os.close(opened)


def _decide(target: Path, store: Ledger, until: str, every: bool) -> int:
    """Write all of it beside, where it counts with one rename at the end."""
    begun = target / _BEGUN
    shutil.rmtree(begun, ignore_errors=True)
    begun.mkdir()
    try:
        rows = _zips(begun, store.hand_ins(until, every), every)
        _refuse_others(target, {name for name, _, _ in rows})
        # Names of files say nothing of whose each is, and when it came.
        write_rows(_staged(table_of(target, "manifest")), HEAD, rows)
        told = "the checker's receipt"
        times = {name: HandedInAt(moment(time), "UTC", told) for _, name, time in rows}
        write_times(_staged(table_of(target, "times")), times)
        write_rows(_staged(table_of(target, "tries")), tries.HEAD, store.tries())
        for path in (*map(_staged, _tables(target)), begun, table_of(target, "manifest").parent):
            _sync(path)
    except BaseException:
        shutil.rmtree(begun, ignore_errors=True)
        for path in _tables(target):
            _staged(path).unlink(missing_ok=True)
        raise
    begun.rename(target / DECIDED)
    _sync(target)
    return len(rows)


def _zips(folder: Path, hand_ins: Iterable[HandIn], every: bool) -> list[tuple[str, str, str]]:
    """The rows of their manifest."""
    rows: list[tuple[str, str, str]] = []
    numbers: Counter[str] = Counter()
    for each in hand_ins:
        numbers[each.learner] += 1
        suffix = f", {numbers[each.learner]}" if every else ""
        rows.append((f"{each.learner}{suffix}.zip", each.learner, each.time))
        (folder / rows[-1][0]).write_bytes(each.content)
        _sync(folder / rows[-1][0])
    return rows


def _refuse_others(target: Path, names: set[str]) -> None:
    """They would be taken for hand-ins without a line; whoever put them there may need them."""
    if others := {found.path.name for found in find_submissions(target)} - names:
        raise Complaint(
            f"{target} holds {min(others)}, which is not of these hand-ins: give another folder, "
            "or remove that"
        )


def _put(target: Path) -> None:
    """Let all that was decided take its place, the manifest last; it may have begun before."""
    decided = target / DECIDED
    if not decided.is_dir():
        return
    for path in decided.iterdir():
        path.replace(target / path.name)
    _sync(target)
    for path in _tables(target):
        if _staged(path).exists():
            _staged(path).replace(path)
    _sync(table_of(target, "manifest").parent)
    decided.rmdir()


def _tables(target: Path) -> tuple[Path, ...]:
    return table_of(target, "times"), table_of(target, "tries"), table_of(target, "manifest")


def _staged(table: Path) -> Path:
    return table.with_name(f".{table.name}{_BEGUN}")


def _sync(path: Path) -> None:
    """Let a file, or which names a folder has, reach the disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
