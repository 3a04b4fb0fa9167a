"""All that the service keeps, in one SQLite file: tokens, tries and hand-ins; marks nothing.

What is kept is on the disk before anybody is told so, and stays when the process is killed.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..curriculum.complaint import Complaint
from ..gradebook.database import transaction
from ..submission import short_name

FILE = "service.sqlite"
MOST_KEPT = 200  # hand-ins of one learner
MOST_BYTES = 500_000_000  # of them all; the whole course, solved, is a zip of 2.3 MB
_TABLES = """
CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS learner (
    name TEXT PRIMARY KEY,
    token TEXT UNIQUE  -- its hash; null: revoked, or JupyterHub's
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS instructor (name TEXT PRIMARY KEY, token TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS try (
    id INTEGER PRIMARY KEY,
    learner TEXT NOT NULL,
    exercise TEXT NOT NULL,
    time TEXT NOT NULL,
    verdict TEXT NOT NULL  -- or why there is none
);
CREATE TABLE IF NOT EXISTS hand_in (
    id INTEGER PRIMARY KEY,
    learner TEXT NOT NULL,
    time TEXT NOT NULL,
    hash TEXT NOT NULL,
    content BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS hand_in_of ON hand_in (learner, id);
"""


class LedgerError(Complaint):
    """The service's file cannot be used, or has no such learner."""


class NotKept(LedgerError):
    """The file could not be written or read; what was kept before stays."""

    def __init__(self, error: sqlite3.Error) -> None:
        super().__init__(f"{FILE}: {error}")
        self.is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


class TooManyHandedIn(Exception):
    """A learner has handed in more often, or more, than is kept."""


@dataclass(frozen=True)
class Receipt:
    """What a learner is told of one hand-in: the hash of the bytes, and when they were kept."""

    hash: str
    time: str


@dataclass(frozen=True)
class HandIn:
    """One hand-in of one learner: a zip as it came."""

    learner: str
    time: str
    content: bytes


class Ledger:
    """An open store; a context manager that closes it. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        """Open the store of a folder; make both where they are missing. Raises LedgerError."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                folder / FILE, timeout=5.0, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(_TABLES)
            # Who asks is looked up while another thread may be writing megabytes.
            self._reader = sqlite3.connect(folder / FILE, timeout=5.0, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise LedgerError(f"{folder / FILE} cannot be opened: {error}") from None
        self._lock = threading.Lock()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *_: object) -> None:
        self._reader.close()
        self._connection.close()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, _told(), transaction(self._connection):
            yield self._connection

    def _rows(self, query: str, *given: object) -> list[Any]:
        with self._lock, _told():
            return self._connection.execute(query, given).fetchall()

    def _whose(self, token: str, table: str) -> str | None:
        """The name beside a token, asked beside whatever is being written; one thread asks."""
        with _told():
            query = f"SELECT name FROM {table} WHERE token = ?"
            row = self._reader.execute(query, (hashed(token),)).fetchone()
        return str(row[0]) if row else None

    def fact(self, name: str, otherwise: str) -> str:
        """A fact that is stated once, as `otherwise`, and stays."""
        with self._transaction() as run:
            run.execute("INSERT OR IGNORE INTO fact VALUES (?, ?)", (name, otherwise))
            return str(run.execute("SELECT value FROM fact WHERE name = ?", (name,)).fetchone()[0])

    def enrol(self, learners: Sequence[str]) -> dict[str, str]:
        """A token for each learner who is not known yet; tokens are told here and never again.

        Raises LedgerError as `admit` does, and enrols nobody then.
        """
        with self._transaction() as run:
            new = {name: secrets.token_hex(20) for name in _unknown(run, learners)}
            rows = [(name, hashed(token)) for name, token in new.items()]
            run.executemany("INSERT INTO learner VALUES (?, ?)", rows)
        return new

    def admit(self, learner: str) -> None:
        """Make a learner known who needs no token of ours.

        Raises LedgerError where the files of another learner would have the same name.
        """
        with self._transaction() as run:
            new = [(name,) for name in _unknown(run, [learner])]
            run.executemany("INSERT INTO learner VALUES (?, NULL)", new)

    def renew(self, learner: str, revoke: bool = False) -> str:
        """Another token for a learner, or none; the old one holds no longer. Raises LedgerError."""
        token = "" if revoke else secrets.token_hex(20)
        row = (hashed(token) if token else None, learner)
        with self._transaction() as run:
            if not run.execute("UPDATE learner SET token = ? WHERE name = ?", row).rowcount:
                raise LedgerError(f"no learner is called {learner!r}")
        return token

    def renew_instructor(self, name: str, revoke: bool = False) -> str:
        """Another token for one who reads the report and steps in, or none; the old one holds no
        longer. What they do is kept under this name.
        """
        token = "" if revoke else secrets.token_hex(20)
        with self._transaction() as run:
            run.execute("DELETE FROM instructor WHERE name = ?", (name,))
            if token:
                run.execute("INSERT INTO instructor VALUES (?, ?)", (name, hashed(token)))
        return token

    def instructor(self, token: str) -> str | None:
        """Which instructor's token this is; one thread asks."""
        return self._whose(token, "instructor")

    def learners(self) -> list[str]:
        """Everybody who has or had a token, in the order of their names."""
        return [name for (name,) in self._rows("SELECT name FROM learner ORDER BY name")]

    def owner(self, token: str) -> str | None:
        """Whose token this is; one thread asks."""
        return self._whose(token, "learner")

    def note(self, learner: str, exercise: str, verdict: str) -> None:
        """Record one try."""
        with self._transaction() as run:
            row = (learner, exercise, written(datetime.now(UTC)), verdict)
            run.execute("INSERT INTO try (learner, exercise, time, verdict) VALUES (?,?,?,?)", row)

    def tries(self) -> list[tuple[str, str, str, str]]:
        """Every try, oldest first: learner, exercise, time, verdict (or why there is none)."""
        return self._rows("SELECT learner, exercise, time, verdict FROM try ORDER BY id")

    def keep(self, learner: str, content: bytes) -> Receipt:
        """Keep a hand-in; the same as the learner's latest is kept once. Raises TooManyHandedIn."""
        digest = hashlib.sha256(content).hexdigest()
        with self._transaction() as run:
            query = "SELECT hash, time FROM hand_in WHERE learner = ? ORDER BY id DESC LIMIT 1"
            latest = run.execute(query, (learner,)).fetchone()
            if latest and latest[0] == digest:
                return Receipt(*latest)
            held = "SELECT count(*), total(length(content)) FROM hand_in WHERE learner = ?"
            times, size = run.execute(held, (learner,)).fetchone()
            if times >= MOST_KEPT or size + len(content) > MOST_BYTES:
                raise TooManyHandedIn
            receipt = Receipt(digest, written(datetime.now(UTC)))
            row = (learner, receipt.time, digest, content)
            run.execute("INSERT INTO hand_in (learner, time, hash, content) VALUES (?,?,?,?)", row)
        return receipt

    def receipts(self, learner: str) -> list[Receipt]:
        """All of one learner's, oldest first."""
        query = "SELECT hash, time FROM hand_in WHERE learner = ? ORDER BY id"
        return [Receipt(*row) for row in self._rows(query, learner)]

    def hand_ins(self, until: str = "9999", every: bool = False) -> Iterator[HandIn]:
        """Each learner's last hand-in up to a moment, written as receipts write it, or every one.

        One of them is in memory at a time.
        """
        newest = "SELECT id FROM hand_in WHERE learner = ? AND time <= ? ORDER BY id DESC LIMIT ?"
        content = "SELECT learner, time, content FROM hand_in WHERE id = ?"
        for learner in self.learners():
            found = self._rows(newest, learner, until, -1 if every else 1)
            for (number,) in reversed(found):
                (row,) = self._rows(content, number)
                yield HandIn(*row)


def _unknown(run: sqlite3.Connection, learners: Sequence[str]) -> list[str]:
    """Those who are not known yet; raises LedgerError where files of two would have one name."""
    known = {name for (name,) in run.execute("SELECT name FROM learner")}
    files = {short_name(name) for name in known}
    new = [name for name in learners if name not in known]
    for name in new:
        if short_name(name) in files:
            raise LedgerError(f"another learner's files would be called {name!r} too")
    return new


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise NotKept(error) from None


def hashed(token: str) -> str:
    """What is kept of a token, which is long and random: who reads the file cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def written(moment: datetime) -> str:
    """A moment as receipts write it, in UTC."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
