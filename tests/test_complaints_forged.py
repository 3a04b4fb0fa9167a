"""Complaints that learner code made up: beside a lent reference nothing of them is in the mark."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import grader
from grader.candidate.failures import Frame, Problem
from grader.candidate.message import Place, message_of
from grader.candidate.records import CheckOutcome, CheckResult, Mark, Verdict, mark_to_json
from grader.diagnosis.locating import complaints
from grader.diagnosis.locating.location_messages import problem_location
from grader.marking.gate import Gate
from grader.marking.usual_errors import _PATTERNS
from grader.submission import Unit
from tests.longest_matches import longest_matches

LETTERS, DIGITS = "qzxjwvkq", "918273645"  # no word of ours, or of Python's
FOLDER = Path(grader.__file__).parent
LISTED = tomllib.loads((FOLDER / "diagnosis/locating/complaints.toml").read_text("utf-8"))
EXPLAINED = [*complaints._CALCULATED, *(row["raised"] for row in LISTED["complaint"])]
USUAL = [pattern.pattern for pattern in _PATTERNS]
CODE = "def f(x):\n    return g(x)\n"
FRAME = Frame("cell 1", 2, "f", "return g(x)")


def forged(pattern: str) -> Iterator[Problem]:
    """Problems that say it with as much of the secret as it takes."""
    for text in longest_matches(pattern, LETTERS, DIGITS):
        kind, _, words = text.partition(": ") if pattern.startswith("^") else ("E", "", text)
        yield Problem("raised", kind or "E", words, "call", (FRAME,))


def mark_of(problem: Problem, gate: Gate) -> Mark:
    """As a mark is made of it, and let out."""
    place = Place(FRAME.label, FRAME.line)
    location = problem_location(place, problem)
    words = problem.summary()
    check = CheckResult("It is right.", CheckOutcome.ERROR, words)
    made = Mark("f", "c", Verdict.ERROR, 0.0, 1.0, (check,), message=words, location=location)
    return gate.mark(made)


def secrets_in(mark: Mark) -> list[str]:
    """What of the secret is there: four letters of a word, or nine digits, in a row."""
    told = json.dumps(mark_to_json(mark))
    letters = LETTERS * 2
    parts = {letters[at : at + 4] for at in range(len(LETTERS))}
    found = [part for part in parts if part in told]
    return found + [each for each in re.findall(r"[\d, ]{9,}", told) if "918" in each]


@pytest.mark.parametrize("pattern", [*EXPLAINED, *USUAL])
def test_nothing_of_a_forged_complaint_is_told_beside_a_reference(pattern: str) -> None:
    problems = list(forged(pattern))
    assert problems, "no text was found that the pattern matches"
    for problem in problems:
        gate = Gate([Unit(CODE, "cell 1", 1)], lends=True)
        assert secrets_in(mark_of(gate.problem(problem), gate)) == []


def test_the_forger_reaches_what_a_complaint_tells() -> None:
    """Without a reference, the same texts are told: so the test above would see them."""
    seen = {
        pattern
        for pattern in EXPLAINED
        for problem in forged(pattern)
        if secrets_in(replace(mark_of(problem, Gate()), checks=(), message=message_of("")))
    }
    told = {row["raised"] for row in LISTED["complaint"] if "{1}" in row["words"]}
    plain = {each for each in told if r"(\w+)" in each or r"(\d+)" in each}
    assert len(plain) > 10 and plain <= seen


def test_of_which_complaint_it_is_the_checker_tells_nothing() -> None:
    """There are many, so the choice among them is worth a letter."""
    problem = Problem("raised", "EOFError", "", "call", (FRAME,))
    place = Place(FRAME.label, FRAME.line)

    def words(gate: Gate) -> str:
        location = problem_location(place, gate.problem(problem))
        made = Mark("f", "c", Verdict.ERROR, 0.0, 1.0, location=location)
        told = gate.mark(made).location
        return "" if told is None else str(told.words)

    units = [Unit(CODE, "cell 1", 1)]
    assert words(Gate(units)).startswith("input() asks")
    assert words(Gate(units, lends=True)).startswith("input() asks")
    assert words(Gate(units, lends=True, is_asked_again=True)) == ""
