"""Reads the corpus, right and wrong code of many hands, and what is expected of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Case:
    """Code for one exercise in one file, and what the grader has to make of it."""

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
    """The whole corpus, sorted by path."""
    lines = (CORPUS / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_read(**json.loads(line)) for line in lines)


def case(name: str) -> Case:
    """The case of this name, such as `softmax/wrong/global_maximum`."""
    return next(each for each in cases() if each.name == name)


def _read(file: str, about: str, named: list[str]) -> Case:
    exercise, kind, _ = file.split("/")
    return Case(CORPUS / file, exercise, kind == "right", about, frozenset(named))
