"""What a learner guessed before a cell measured it, as data and as TOML; asks nothing."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

TABLE = "guess"
SIGNS = {"right": "✓", "near": "✓ near", "wrong": "✗", "": ""}
_WORDS = {"right": "right", "near": "near", "wrong": "not right", "": "to judge yourself"}
MAX_TEXT = 400  # signs of what is kept of each text


@dataclass(frozen=True)
class Guess:
    """One question, what was guessed, and what came out."""

    question: str
    guess: str = ""  # empty: the answer was looked at without one
    why: str = ""
    measured: str = ""  # empty: the answer has not been shown
    right: str = ""  # the right choice, where the question has choices and it is known
    outcome: str = ""  # right, near or wrong; empty where nobody can say
    chapter: str = ""

    @property
    def is_shown(self) -> bool:
        """Whether the answer was shown, and the guess stays what it is."""
        return bool(self.measured)

    @property
    def said(self) -> str:
        """What was guessed, and why."""
        return f"You: {self.guess}" + (f" ({self.why})" if self.why else "")

    @property
    def result(self) -> str:
        """The guess and what came out: You: 28 ✗. Measured: 771. Nearest: 768 ✓."""
        told = [f"{self.said} {SIGNS.get(self.outcome, '')}".strip() if self.guess else "No guess"]
        if self.measured:
            told.append(f"Measured: {self.measured}")
        if self.right and self.outcome != "right":
            told.append(f"Nearest: {self.right} ✓")
        return ("\n" if any("\n" in each for each in told) else ". ").join(told)


def tally(guesses: Iterable[Guess]) -> str:
    """How many guesses were made before measuring, and what became of them; empty for none."""
    known = list(guesses)
    made = [each for each in known if each.guess]
    found = Counter(each.outcome for each in made if each.is_shown)
    parts = [f"{found[kind]} {word}" for kind, word in _WORDS.items() if found[kind]]
    waiting = sum(not each.is_shown for each in made)
    parts += [f"{waiting} not measured yet"] if waiting else []
    looked = len(known) - len(made)
    parts += [f"{looked} more looked up without a guess"] if looked else []
    many = "1 guess" if len(made) == 1 else f"{len(made)} guesses"
    return f"{many} before measuring: {', '.join(parts)}." if parts else ""


def read(table: Mapping[str, Any]) -> dict[str, Guess]:
    """The guesses in a file that was read, by question; what is none is left out."""
    rows = table.get(TABLE)
    found = {}
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("question"):
            known = {each.name: _cut(row.get(each.name, "")) for each in fields(Guess)}
            if known["outcome"] not in SIGNS:
                known["outcome"] = ""
            found[known["question"]] = Guess(**known)
    return found


def written(guesses: Iterable[Guess]) -> Iterator[str]:
    """The same as TOML, one piece for each."""
    for guess in guesses:
        rows = ((each.name, _cut(getattr(guess, each.name))) for each in fields(Guess))
        lines = [f"{name} = {_quoted(text)}\n" for name, text in rows if text]
        yield f"\n[[{TABLE}]]\n{''.join(lines)}"


def _cut(text: object) -> str:
    return str(text)[:MAX_TEXT]


def _quoted(text: str) -> str:
    """A basic string of TOML, which is one of JSON but for a sign or two."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")
