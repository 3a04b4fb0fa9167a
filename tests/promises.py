"""Reads what each exercise promises and which checks ask for it; runs no check.

`tests/promises/<exercise>.toml` has an entry for each sentence of the docstring, in any order:

    [[promise]]
    sentence = "The input stays as it is."
    checks = ["test_softmax_stays"]

A name may hold a `*`. In the place of `checks` may stand `shortcuts`, names of what the syllabus
forbids there and the examiner watches for, or `open = true`: nothing is asked for, since the
sentence leads into others, tells what a caller keeps to, or leaves something to the learner.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.curriculum.references import reference

PROMISES = Path(__file__).parent / "promises"
_ROW = re.compile(r"[a-z]\w*:\s")  # an argument, what is returned, what is raised
_BEFORE_A_ROW = re.compile(r"\n(?=\S)")
_AFTER_A_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True)
class Promise:
    """A sentence of a contract, and what asks for it."""

    sentence: str
    checks: tuple[str, ...] = ()
    shortcuts: tuple[str, ...] = ()
    open: bool = False


def written() -> tuple[str, ...]:
    """The exercises whose promises are written down."""
    return tuple(sorted(path.stem for path in PROMISES.glob("*.toml")))


def promises(exercise: str) -> tuple[Promise, ...]:
    """What stands in the exercise's file."""
    data = tomllib.loads((PROMISES / f"{exercise}.toml").read_text(encoding="utf-8"))
    lists = ("checks", "shortcuts")
    return tuple(
        Promise(**{name: tuple(v) if name in lists else v for name, v in row.items()})
        for row in data["promise"]
    )


def contract(exercise: str) -> tuple[str, ...]:
    """Every sentence of the docstring; of a class, those of its own methods as well."""
    found = reference(exercise)
    parts = [found]
    if inspect.isclass(found):
        parts += [each for each in vars(found).values() if inspect.isfunction(each)]
    return tuple(s for part in parts for s in sentences(inspect.getdoc(part) or ""))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a docstring, each on one line; a row of a table of arguments is one.

    Where a formula was published is no promise, and is left out.
    """
    for paragraph in text.split("\n\n"):
        if _ROW.match(paragraph):
            yield from (" ".join(row.split()) for row in _BEFORE_A_ROW.split(paragraph.strip()))
        elif not paragraph.startswith("Source:"):
            yield from _AFTER_A_SENTENCE.split(" ".join(paragraph.split()))
