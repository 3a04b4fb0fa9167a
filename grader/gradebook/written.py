"""Writes what was marked into a gradebook, and says how far it can be relied on; opens no file."""

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from ..candidate.records import Doubt, mark_to_json
from ..curriculum.course import course
from ..curriculum.syllabus import syllabus
from ..submission import short_name
from .database import as_json
from .entries import Recorded, Standing
from .words import GradebookError, plain_words

_NOT_SEEN = "recorded since"  # in place of settings, which are a hash or empty


def seen(connection: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """What was handed in when it was last read, as hashes of its bytes and of the settings."""
    rows = connection.execute(
        "SELECT learner, bytes, settings FROM seen JOIN submission USING (learner, settings)"
    )
    return {learner: (held, settings) for learner, held, settings in rows}


def see(connection: sqlite3.Connection, learner: str, held: str, settings: str) -> None:
    """Note what was handed in, where its marks are recorded; a time of other work is forgotten."""
    other = "SELECT learner FROM seen WHERE learner = ? AND bytes != ?"
    connection.execute(f"DELETE FROM handed_in WHERE learner IN ({other})", (learner, held))
    row = (learner, held, settings)
    connection.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?)", row)


def record(connection: sqlite3.Connection, new: Recorded, order: Sequence[str]) -> None:
    """Write one submission, within a transaction; `order` names all exercises of the course."""
    position = {name: index for index, name in enumerate(order)}
    marks, sources, rows = [], [], []
    for entry in new.entries:
        marks.append(_hashed(as_json(mark_to_json(entry.mark))))
        if entry.source:
            sources.append(_hashed(as_json(entry.source)))
        settings = None if entry.settings == new.settings else entry.settings
        name, shown = entry.mark.name, sources[-1][0] if entry.source else None
        row = new.learner, name, position[name], entry.code, settings, marks[-1][0], shown
        rows.append((*row, entry.answer))
    head = (new.learner, new.content, new.settings, new.isolated, as_json(list(new.problems)))
    run = connection.execute
    run("INSERT OR REPLACE INTO submission VALUES (?, ?, ?, ?, ?, 0)", head)
    # `see` follows, and asks what was there before; of a run that ends between them nothing holds.
    run("UPDATE seen SET settings = ? WHERE learner = ?", (_NOT_SEEN, new.learner))
    held = run("SELECT exercise FROM entry WHERE learner = ?", (new.learner,)).fetchall()
    anew = [(new.learner, name) for (name,) in held if name not in new.kept]
    connection.executemany("DELETE FROM entry WHERE learner = ? AND exercise = ?", anew)
    connection.executemany("INSERT OR IGNORE INTO mark (hash, details) VALUES (?, ?)", marks)
    connection.executemany("INSERT OR IGNORE INTO source (hash, pieces) VALUES (?, ?)", sources)
    connection.executemany(
        "INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, "
        "(SELECT id FROM mark WHERE hash = ?), (SELECT id FROM source WHERE hash = ?), ?)",
        rows,
    )
    kept = [(answer, new.learner, name) for name, answer in new.kept.items()]
    connection.executemany("UPDATE entry SET answer = ? WHERE learner = ? AND exercise = ?", kept)


def _hashed(text: str) -> tuple[str, str]:
    """A text and before it the hash that it is kept under."""
    return hashlib.sha256(text.encode()).hexdigest()[:32], text


def standing(
    connection: sqlite3.Connection, scope: str, unfinished: Sequence[str], nobodys: Sequence[str]
) -> Standing:
    """How far what a gradebook gives of those in `scope` can be relied on."""
    failed = f"SELECT learner FROM submission WHERE settings = '' AND {scope}"
    absent = "SELECT learner FROM submission WHERE absent"
    everybody = f"SELECT learner FROM submission WHERE {scope} ORDER BY learner"
    unread = (
        "SELECT learner, problems FROM submission "
        f"WHERE problems != '[]' AND {scope} ORDER BY learner"
    )
    alike: dict[str, list[str]] = {}
    for (learner,) in connection.execute(everybody):
        alike.setdefault(short_name(learner), []).append(learner)
    return Standing(
        tuple(unfinished),
        tuple(learner for (learner,) in connection.execute(failed)),
        tuple(learner for (learner,) in connection.execute(absent)),
        tuple(tuple(names) for names in alike.values() if len(names) > 1),
        tuple(
            (learner, json.loads(problems)[0]) for learner, problems in connection.execute(unread)
        ),
        tuple(nobodys),
    )


def doubts_of(unfinished: object, failed: object, absent: object) -> tuple[Doubt, ...]:
    """The doubts for which there is cause."""
    causes = {Doubt.UNFINISHED: unfinished, Doubt.FAILED: failed, Doubt.ABSENT: absent}
    return tuple(doubt for doubt, is_cause in causes.items() if is_cause)


def refuse_another_course(path: Path, connection: sqlite3.Connection) -> None:
    """Raise GradebookError where all marks are of exercises that the course does not have."""
    one = "SELECT exercise FROM entry WHERE learner = (SELECT learner FROM entry LIMIT 1)"
    with plain_words(path):
        held = {name for (name,) in connection.execute(one)}
    if held and held.isdisjoint(syllabus().names):
        connection.close()
        message = f"{path} holds marks of {min(held)} and of nothing that {course().title} asks for"
        raise GradebookError(f"{message}: say which course it is, `grader --course FOLDER …`")
