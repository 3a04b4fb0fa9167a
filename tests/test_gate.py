"""What is told of an error beside a lent reference: usual words with known names, and no others."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from grader.candidate.failures import Frame, Problem
from grader.candidate.message import Line, Message, aside, joined, say
from grader.candidate.records import (
    CheckOutcome,
    CheckResult,
    Diagnosis,
    Location,
    Mark,
    Picture,
    Verdict,
    mark_to_json,
)
from grader.marking.budget import MOST_IN_MARK
from grader.marking.gate import MOST_BYTES, NOT_TOLD, Gate
from grader.marking.usual_errors import is_usual
from grader.submission import Unit

KNOWN = {"Tensor", "NoneType", "int", "f", "x", "y", "foo"}
SIZES = {*range(-9, 10), 12, 24}
NORM = "Given normalized_shape={}, expected input with shape [4], but got input of size"


def f(x: Any) -> Any:
    return x


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: torch.ones(2, 3) + torch.ones(2, 4),
        lambda: torch.ones(2, 3) @ torch.ones(2, 4),
        lambda: torch.ones(2, 2, 3) @ torch.ones(3, 2, 3),
        lambda: torch.bmm(torch.ones(2, 2, 3), torch.ones(2, 2, 3)),
        lambda: torch.ones(2, 3).view(4, 5),
        lambda: torch.ones(2, 3, 4).transpose(0, 1).view(-1),
        lambda: nn.LayerNorm(5)(torch.ones(2, 3)),
        lambda: torch.ones(3).sum(2),
        lambda: torch.ones(3)[7],
        lambda: torch.ones(3).foo,  # type: ignore[attr-defined]
        lambda: torch.ones(3).long() @ torch.ones(3),
        lambda: nn.Linear(3, 2)(torch.ones(3).double()),
        lambda: nn.Embedding(3, 2)(torch.tensor([5])),
        lambda: torch.ones(2, 3).masked_fill(torch.ones(2, 3), 0),
        lambda: torch.cat([torch.ones(2, 3), torch.ones(3, 2)]),
        lambda: f(),  # type: ignore[call-arg]
        lambda: f(1, 2),  # type: ignore[call-arg]
        lambda: None + 1,  # type: ignore[operator]
        lambda: foo,  # type: ignore[name-defined]  # noqa: F821
    ],
)
def test_usual_errors_are_told(attempt: Callable[[], Any]) -> None:
    with pytest.raises(Exception) as caught:
        attempt()
    assert is_usual(str(caught.value), KNOWN, SIZES)


@pytest.mark.parametrize(
    "message",
    [
        "name 'return' is not defined",
        "name 'x' is not defined\nreturn e / e.sum()",
        "shape '[1, 2]' is invalid for input of size 123456789",
        "return e / e.sum(dim, keepdim=True)",
        f"{NORM.format([101, 116])}[4]",
        f"{NORM.format([3] * 3000)}[4]",
        f"{NORM.format([1, 2, 3, 4])}[1, 2, 3, 4, 5, 6]",
        f"shape '{[3] * 6}' is invalid for input of size 012",
        "index \u0664 is out of bounds for dimension 0 with size 4",
        "list index out of range\n",
        "",
    ],
)
def test_other_words_are_not(message: str) -> None:
    assert not is_usual(message, KNOWN, SIZES)


def test_of_a_problem_the_learners_own_names_and_lines_are_told() -> None:
    code = "def f(x):\n    return x @ weights"
    gate = Gate([Unit(code, "cell 2", 1)], lends=True)
    gate.sent(torch.ones(2, 3, 5), 7)
    own, forged = Frame("cell 2", 2, "f", "e / e.sum()"), Frame("cell 2", 9, "e / e.sum()", "x")

    def message_of(kind: str, message: str, *frames: Frame) -> str:
        found = gate.problem(Problem("raised", kind, message, "call", frames))
        assert gate.problem(found) == found
        assert "sum" not in repr(found.frames)
        return str(gate.message(found.summary()))

    product = "mat1 and mat2 shapes cannot be multiplied ({}x5 and 7x7)"
    place = " (cell 2, line 2)"
    assert message_of("RuntimeError", product.format(6), own) == (
        f"RuntimeError: {product.format(6)}{place}"
    )
    assert message_of("RuntimeError", product.format(101), own) == f"RuntimeError{place}"
    assert message_of("NameError", "name 'weights' is not defined") == (
        "NameError: name 'weights' is not defined"
    )
    assert message_of("NameError", "name 'keepdim' is not defined", own) == f"NameError{place}"
    suggested = "name 'weights' is not defined. Did you mean: {}?"
    assert message_of("NameError", suggested.format("'exponentials'"), own) == (
        f"NameError: name 'weights' is not defined{place}"
    )
    assert message_of("e / e.sum()", "e / e.sum()", own, forged) == f"an exception{place}"


def _mark_of(*messages: Message, sources: tuple[int, ...] = ()) -> Mark:
    checks = tuple(CheckResult(f"{n}.", CheckOutcome.FAILED, m) for n, m in enumerate(messages))
    place = Location("departs", "cell 2", 1, "x", messages[0], sources)
    return Mark("f", "c", Verdict.FAILED, 0.0, 1.0, checks, location=place)


@given(st.lists(st.lists(st.integers(0, 10**9) | st.sampled_from(["f", "x"]), max_size=9)))
def test_of_one_mark_code_chooses_few_characters(fields: list[list[int | str]]) -> None:
    """However many checks fail, and whether numbers, names, lines or what is measured tell it."""
    written = Unit("def f(x):\n    return x\n" * 20, "cell 2", 1)
    numbers = [one for part in fields for one in part if isinstance(one, int)]
    lines = [Line("cell 2", number % 50) for number in numbers]
    messages = [joined(" ", part) for part in fields] + [joined(" ", lines)]
    made = _mark_of(*messages, sources=tuple(range(60)))
    measured = joined(" ", [one + 1 for one in numbers])
    made = replace(made, diagnosis=(Diagnosis("of_some_length", measured, ""),))
    mark = Gate([written], lends=True).mark(made)
    told = "".join(check.message for check in mark.checks) + mark.diagnosis[0].explanation
    assert mark.location is not None and max(mark.location.sources, default=0) <= 40
    told += mark.location.message + "".join(map(str, mark.location.sources))
    told = told.replace(NOT_TOLD, "").replace("…", "").replace(" ", "")
    assert len(told) <= MOST_IN_MARK


def test_what_is_told_without_a_reference_is_bounded_too() -> None:
    written = [Unit("def f(x):\n    return x\n", "cell 2", 1)]
    rows = tuple(("1" * 99,) * 99 for _ in range(99))
    picture = Picture("", ("", ""), (0, 0), rows, rows, 1, 1)
    long = say("{} and {}", "x" * 10**6, [2**62] * 10**5)
    lines = joined(", ", [aside("line {}", Line("cell 2", n)) for n in range(10**4)])
    mark = _mark_of(*[long, lines] * 20, sources=tuple(range(10**4)))
    checks = tuple(replace(check, picture=picture) for check in mark.checks)
    told = Gate(written).mark(replace(mark, checks=checks))
    assert len(json.dumps(mark_to_json(told))) <= MOST_BYTES
    assert told.checks[1].message == "line 1, line 2"
    assert told.location is not None and told.location.sources == (1, 2)
    assert told.location.source == "def f(x):"


def test_what_may_not_be_told_takes_its_clause_with_it() -> None:
    gate = Gate([Unit("def f(x): pass", "cell 2", 1)], lends=True)
    clause = aside(" It is made of {}.", joined(", ", ["e / e.sum()", "total / x"]))
    assert gate.message(say("It is wrong.{}", clause)) == "It is wrong."
    clause = aside(" It is made of {}.", joined(", ", ["e / e.sum()", "x.weight"]))
    assert gate.message(say("It is wrong.{}", clause)) == "It is wrong. It is made of x.weight."


@pytest.mark.parametrize("text", ["½abc", "x.٣٤", "x.᠓", "x.²"])
def test_what_only_looks_like_a_name_or_a_number_is_left_out(text: str) -> None:
    """Of such words there are so many that each could stand for letters."""
    gate = Gate([Unit(f"x = 1  # {text}", "cell 2", 1)], lends=True)
    told = gate.message(say("It has {}.", text))
    assert told in ("It has x.", "It has ….")


def test_a_key_says_no_more_than_the_words() -> None:
    keys = {
        Gate([], lends=True).message(say("It raised {}.", name, kind=name)).key
        for name in ("exponentials", "shifted")
    }
    assert len(keys) == 1


def test_a_line_costs_as_much_as_the_choice_among_all() -> None:
    cells = [Unit("x = 1", f"cell {number}", 1) for number in range(10_000)]
    lines = [Line(f"cell {number}", 1) for number in range(0, 10_000, 7)]
    told = Gate(cells, lends=True).message(joined(" ", lines))
    assert len(told.split()) <= MOST_IN_MARK / len(str(len(cells)))
