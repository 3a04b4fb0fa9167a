"""Reads the corpus, right and wrong code of many hands; knows what each file says is expected.

A case is `tests/corpus/<exercise>/<right|wrong>/<what_it_is>.py`, and its first lines say the rest:

    # wrong: one maximum for the whole tensor is subtracted
    # named: global_max
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.curriculum.syllabus import syllabus

CORPUS = Path(__file__).parent / "corpus"
_STEM = re.compile(r"[a-z0-9]+(_[a-z0-9]+){1,5}")
_FIRST = re.compile(r"# (right|wrong): (\S.*)")
_NAMED = re.compile(r"# named: (\w+(?:, \w+)*)")
_ENCODING = re.compile(r"coding[:=]")  # Python would take such a line for the file's encoding


class BadCase(ValueError):
    """A file of the corpus that does not say what is expected of it."""


@dataclass(frozen=True)
class Case:
    """Code for one exercise in one file, and what the grader has to make of it.

    `about` says what the code does differently. `named` holds the ids of the misconceptions that
    would be a right diagnosis of wrong code; where it is empty, any diagnosis is a false one.
    """

    path: Path
    exercise: str
    right: bool
    about: str
    named: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What tests call it: `softmax/wrong/global_maximum`."""
        return f"{self.exercise}/{self.path.parent.name}/{self.path.stem}"

    @property
    def source(self) -> str:
        """The whole file, as a learner would hand it in."""
        return self.path.read_text(encoding="utf-8")


@cache
def cases() -> tuple[Case, ...]:
    """The whole corpus, sorted by path.

    Raises:
        BadCase: A file does not say what is expected of it, or lies at a wrong place.
    """
    found = sorted(path for path in CORPUS.rglob("*") if path.is_file() and _is_kept(path))
    return tuple(map(read, found))


def case(name: str) -> Case:
    """The case of this name, such as `softmax/wrong/global_maximum`.

    Raises:
        FileNotFoundError: There is none.
        BadCase: It does not say what is expected of it.
    """
    return read(CORPUS / f"{name}.py")


def read(path: Path) -> Case:
    """What a file `<exercise>/<right|wrong>/<what_it_is>.py` says of itself.

    Raises:
        BadCase: Its place, its name or its first lines are not of the form above.
    """

    def refuse(why: str) -> BadCase:
        return BadCase(f"{'/'.join(path.parts[-3:])}: {why}")

    exercise, kind = path.parts[-3:-1]
    if exercise not in syllabus().names or kind not in ("right", "wrong") or path.suffix != ".py":
        raise refuse("a case lies at <exercise>/<right|wrong>/<what_it_is>.py")
    if not _STEM.fullmatch(path.stem):
        raise refuse("its name must be of two to six words in small letters, joined by _")
    first, second, *_ = [*path.read_text(encoding="utf-8").split("\n", 2), ""]
    says = _FIRST.fullmatch(first)
    if says is None or says[1] != kind:
        raise refuse(f"its first line must be `# {kind}: ` and what the code does differently")
    if _ENCODING.search(first):
        raise refuse("`coding:` or `coding=` in a first line would be read as an encoding")
    named: frozenset[str] = frozenset()
    if second.startswith("# named"):
        ids = _NAMED.fullmatch(second)
        if ids is None or kind == "right":
            raise refuse("`# named: id, id` is the second line of wrong code alone")
        named = frozenset(ids[1].split(", "))
    return Case(path, exercise, kind == "right", says[2], named)


def _is_kept(path: Path) -> bool:
    return path.name != "README.md" and "__pycache__" not in path.parts
