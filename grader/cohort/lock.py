"""Lets one run at a time write into a folder, and says who does; knows no gradebook."""

import os
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ..curriculum.complaint import Complaint

FILE = "run.lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be; raises Complaint where somebody else does, or
    where it takes no file.

    SQLite's own file locks are used: they work on every system, and the kernel frees them.
    """
    path = folder / FILE
    with closing(_connected(path)) as connection:
        try:
            connection.execute("CREATE TABLE IF NOT EXISTS holder (pid INTEGER, host TEXT)")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM holder")
            holder = (os.getpid(), platform.node())
            connection.execute("INSERT INTO holder VALUES (?, ?)", holder)
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise Complaint(f"{path} cannot be written ({error})") from None
            raise Complaint(
                f"another run is grading into {folder}{_who(path)}; wait until it has ended, "
                "or choose another folder with --out"
            ) from None
        yield


def _connected(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return sqlite3.connect(path, timeout=0.2, isolation_level=None)
    except (OSError, sqlite3.OperationalError) as error:
        raise Complaint(f"{path} cannot be written ({error})") from None


def _who(path: Path) -> str:
    with closing(sqlite3.connect(path, timeout=0.2)) as connection, suppress(sqlite3.Error):
        row = connection.execute("SELECT pid, host FROM holder").fetchone()
        return f" (process {row[0]} on {row[1]})" if row else ""
    return ""
