"""The course's two real texts, read from the folder `data` beside this file; it downloads nothing.

Source and licence of both stand in data/README.md.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "data"


@dataclass(frozen=True)
class Use:
    """One word in one real sentence, and what it is there.

    start: its first character in the sentence
    label: 0 = a noun, 1 = a verb
    """

    sentence: str
    word: str
    start: int
    label: int


def verb_or_noun() -> list[Use]:
    """6,434 sentences with one word each that can be a noun or a verb."""
    path = FOLDER / "verb_or_noun.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            Use(row["sentence"], row["word"], int(row["start"]), int(row["is"] == "VERB"))
            for row in rows
        ]


def shakespeare() -> str:
    """1.1 million characters of Shakespeare's plays."""
    return (FOLDER / "tinyshakespeare.txt").read_text(encoding="utf-8")
