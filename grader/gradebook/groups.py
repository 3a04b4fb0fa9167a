"""Learners who hand in one work together, by a CSV; knows no mark and no file of theirs."""

import sqlite3
from collections.abc import Collection, Mapping
from pathlib import Path

from ..curriculum.complaint import Complaint
from .roster import read_records

Groups = Mapping[str, tuple[str, ...]]  # the learners of each group, by its name


def read_groups(path: Path) -> dict[str, tuple[str, ...]]:
    """A CSV with `group` and `learner`, a line for each learner.

    Raises Complaint.
    """
    rows = read_records(path, ["group"], ["learner"])
    found: dict[str, tuple[str, ...]] = {}
    group_of: dict[str, str] = {}
    for row in rows:
        group, learner = row["group"].strip(), row["learner"].strip()
        if not group or not learner:
            raise Complaint(f"{path} has a line without a group or a learner")
        if learner in group_of:
            raise Complaint(f"{path} has {learner} twice: in {group_of[learner]} and in {group}")
        group_of[learner] = group
        found[group] = (*found.get(group, ()), learner)
    for group in found:
        if group_of.get(group, group) != group:
            message = f"is a group and a learner of {group_of[group]}: nobody could tell whose work"
            raise Complaint(f"{path}: {group} {message} a folder of that name is")
    return found


def shared(works: Collection[str], groups: Groups) -> tuple[dict[str, str], list[str]]:
    """Whose each work is: who handed it in, by learner, each member of a group having that of the
    group; and the groups of which nobody handed in any.

    A group's work is called by the group or by one of its members; `works` are the names of all.
    Raises Complaint where a group has several.
    """
    whose = {name: name for name in works}
    without = []
    for group, members in groups.items():
        names = [name for name in dict.fromkeys((group, *members)) if name in works]
        if len(names) > 1:
            raise Complaint(
                f"the group {group} has handed in {len(names)} works, {' and '.join(names)}: keep "
                "the one that counts, and grade again"
            )
        if not names:
            without.append(group)
            continue
        del whose[names[0]]
        whose |= dict.fromkeys(members, names[0])
    return whose, without


def set_groups(connection: sqlite3.Connection, groups: Groups, keeps: bool = False) -> None:
    """Keep these in place of those before; with `keeps` beside those that have nobody of them."""
    rows = [(learner, group) for group, members in groups.items() for learner in members]
    if keeps:
        named = {learner for learner, _ in rows}
        known = groups_known(connection)
        rows += [
            (learner, group)
            for group, members in known.items()
            if group not in groups and named.isdisjoint(members)
            for learner in members
        ]
    connection.execute("DELETE FROM member")
    connection.executemany("INSERT INTO member VALUES (?, ?)", rows)


def groups_known(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """What is kept."""
    found: dict[str, tuple[str, ...]] = {}
    for learner, group in connection.execute("SELECT learner, team FROM member ORDER BY learner"):
        found[group] = (*found.get(group, ()), learner)
    return found
