"""Reads who handed in what and when out of the list in a Gradescope export; opens no hand-in."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

# assignment_1_export/submission_metadata.yml, as Ruby writes it: a block for each submission
METADATA = re.compile(r"(?:assignment_[0-9]+_export/)?submission_metadata\.yml")
_SUBMISSION = re.compile(r"submission_([0-9]+):\s*")
_OWN = re.compile(r"  :(\w+):\s*(.*)")
_PERSON = re.compile(r"  (?:- |  ):(name|sid|email):\s*(.*)")
# 2026-01-30 13:00:00.000000000 Z, or -08:00 at its end
_TIME = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)? (Z|[+-]\d\d:\d\d)")


@dataclass
class GradescopeLine:
    """One submission: those who handed it in, by e-mail or student's ID, and when."""

    learners: tuple[str, ...] = ()
    unknown: list[str] = field(default_factory=list)  # who have a name alone, chosen by themselves
    time: datetime | None = None


def read_metadata(content: bytes) -> dict[str, GradescopeLine]:
    """What the list says, by the submission's number; of what is written otherwise, nothing."""
    found: dict[str, GradescopeLine] = {}
    blocks: dict[str, list[str]] = {}
    rows: list[str] = []
    # At line feeds alone: a name may hold other separators, and what is behind them is no line.
    for text in content.decode("utf-8", "replace").split("\n"):
        line = text.removesuffix("\r")
        if begins := _SUBMISSION.fullmatch(line):
            rows = blocks.setdefault(begins[1], [])
        else:
            rows.append(line)
    for number, lines in blocks.items():
        found[number] = _line(lines)
    return found


def _line(lines: Iterable[str]) -> GradescopeLine:
    line, people, key = GradescopeLine(), list[dict[str, str]](), ""
    for text in lines:
        if own := _OWN.fullmatch(text):
            key = own[1]
            if key == "created_at" and (at := _TIME.fullmatch(_plain(own[2]))):
                line.time = datetime.fromisoformat(f"{at[1]}T{at[2]}{at[3]}")
        elif key == "submitters" and (person := _PERSON.fullmatch(text)):
            if text.startswith("  - "):
                people.append({})
            if people:
                people[-1][person[1]] = _plain(person[2])
    known = [person.get("email") or person.get("sid") for person in people]
    line.learners = tuple(name for name in known if name)
    unknown = [person for person, name in zip(people, known, strict=True) if not name]
    line.unknown = [person.get("name") or "somebody" for person in unknown]
    return line


def _plain(value: str) -> str:
    """A YAML scalar of one line as text."""
    value = value.strip()
    if value[:1] == value[-1:] == "'" and len(value) > 1:
        return value[1:-1].replace("''", "'")
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value.strip('"')
    return "" if value in ("~", "null") else value
