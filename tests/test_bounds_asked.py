"""Each number that a contract names as a bound is asked for itself: a size, a count or a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.curriculum.syllabus import syllabus
from grader.worker.values import Config
from tests.candidates import Here, checks, solution
from tests.promises import promises

# Bounds that no call reaches, and why.
_OF_PRODUCTS = "of queries and keys, which are given: test_attention_loud makes such scores"
NOT_ASKED = {
    ("scaled_dot_product_attention", bound): _OF_PRODUCTS for bound in (-20_000.0, 20_000.0)
}
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")
_NUMBER = r"(−?(?:10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d[\d,]*(?:\.\d+)?)(?: million)?)(?![\w·])"
_BOUNDS = re.compile(
    rf"(?:from|above) {_NUMBER}|(?:\bto|at most|at least|shorter than) {_NUMBER}|{_NUMBER} at most"
)


@dataclass
class Asked(Here):
    """Hears what is asked, for some numbers."""

    wanted: frozenset[float] = frozenset()
    heard: set[float] = field(default_factory=set)

    def request(self, op: str, payload: dict[str, Any]) -> dict[str, Any]:
        self.heard |= {one for one in self.wanted - self.heard if _holds(payload, one)}
        return super().request(op, payload)


def test_bounds_are_read_from_sentences() -> None:
    text = "x: [a, b], from −10³⁰ to 20 million, 900 at most; at least 0.001, to vocab − 1, to 10i"
    assert set(_bounds(text)) == {-1e30, 2e7, 900, 0.001}


@pytest.mark.parametrize("exercise", syllabus().names)
def test_a_bound_is_asked_for_itself(exercise: str) -> None:
    promised = (each for each in promises(exercise) if not each.open)
    named = {bound for each in promised for bound in _bounds(each.sentence)}
    wanted = frozenset(bound for bound in named if (exercise, bound) not in NOT_ASKED)
    if not wanted:
        return
    candidate = solution(exercise)
    asked = Asked(candidate._transport.service, wanted)
    candidate._transport = asked
    checks().run(exercise, candidate, 0)
    assert asked.heard == wanted


def _bounds(sentence: str) -> Iterator[float]:
    for found in _BOUNDS.finditer(sentence):
        text = next(each for each in found.groups() if each).replace(",", "")
        as_power = re.sub(r"10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", r"1e\1", text).replace(" million", "e6")
        yield float(as_power.translate(_DIGITS))


def _holds(given: Any, number: float) -> bool:
    """Whether a number is among what is given, or is a size of it."""
    if isinstance(given, Tensor):
        near = torch.isclose(given.double(), torch.tensor(number).double(), rtol=1e-6, atol=0.0)
        return number in given.shape or bool(near.any())
    if isinstance(given, Config):
        return _holds(given.fields, number)
    if isinstance(given, dict):
        return any(_holds(each, number) for each in given.values())
    if isinstance(given, list | tuple | str):
        is_long = len(given) == number
        return is_long or (not isinstance(given, str) and any(_holds(e, number) for e in given))
    return isinstance(given, int | float) and given == number
