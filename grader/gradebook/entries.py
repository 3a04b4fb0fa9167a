"""What a gradebook takes and gives, as plain records; knows no file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..candidate.records import Mark

Piece = tuple[str, int, str]  # of a learner's code: label, line, code


@dataclass(frozen=True)
class Entry:
    """One mark, and hashes of the code that was judged and of what judged it.

    `source` is the learner's own code for it, to be shown: (label, line, code). `answer` is a hash
    of all the code that counts, wherever it stands and whatever its comments; empty where that is
    all that was handed in, to the byte.
    """

    code: str
    settings: str
    mark: Mark
    source: tuple[Piece, ...] = ()
    answer: str = ""


@dataclass(frozen=True)
class KnownSubmission:
    """What the gradebook holds of one submission; `keys` are (code, settings) by exercise."""

    content: str
    settings: str
    keys: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class Recorded:
    """The marks of one submission; those of `kept` are in the gradebook already and stay.

    Of these it has the answers, as an `Entry` has: what else is handed in may be in them.
    """

    learner: str
    content: str
    settings: str
    isolated: bool
    problems: tuple[str, ...]
    entries: tuple[Entry, ...]
    kept: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Standing:
    """How far a gradebook can be relied on."""

    unfinished: tuple[str, ...]  # what runs that have begun and not ended were to mark
    failed: tuple[str, ...]  # learners on whose submission the grader itself failed
    absent: tuple[str, ...]  # learners whom the latest run did not find
    alike: tuple[tuple[str, ...], ...]  # learners whom a platform may take for one
    unread: tuple[tuple[str, str], ...] = ()  # learners, and the first thing that was not read
    nobodys: tuple[str, ...] = ()  # files of the class that are no submission, and why
    hidden: tuple[str, ...] = ()  # of the absent, those for whom people set points or wrote
    waiting: tuple[tuple[str, str], ...] = ()  # whose points, and of what, are for another answer

    @property
    def is_complete(self) -> bool:
        """Whether every submission of the class has the marks that it deserves now."""
        return not self.unfinished and not self.failed


def pieces_from(text: str) -> tuple[Piece, ...]:
    """A learner's code as it is kept, JSON."""
    return tuple((label, line, code) for label, line, code in json.loads(text))
