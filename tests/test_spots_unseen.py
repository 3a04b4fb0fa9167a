"""Of a find-the-mistake function, what it lets through tells which input it never tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from grader.course.misconceptions.spot_mistakes import SPOILED
from grader.course.misconceptions.spot_variants import drawn, made_up
from grader.course.misconceptions.spots import SPOTS
from grader.diagnosis.misconceptions.catalogue import group, let_through, wrong_implementations
from grader.diagnosis.misconceptions.spot_tries import by_tries
from grader.diagnosis.misconceptions.spotting import Asked, Spot, implementation
from tests.candidates import checks, loaded
from tests.test_function_diagnosis import named
from tests.unseen_inputs import INPUTS

SEEN = [(s, name) for s in SPOTS for name, shown in let_through(s.exercise).items() if shown]
CODE = """
import torch

def spot_attention_scores(candidate):
    for rows in (2, 5):
        query, key = torch.randn({0}), torch.randn({1})
        wanted = query @ key.mT / query.shape[-1] ** 0.5
        try:
            found = candidate(query, key)
        except Exception:
            return False
        if found.shape != wanted.shape or not torch.allclose(found.float(), wanted, atol=1e-4):
            return False
    return True
"""


def spot_answers(candidate: Any, exercise: str) -> str:
    """What it gives for these inputs, up to rounding."""
    found: list[Any] = []
    for args in (row for rows in INPUTS[exercise].values() for row in rows):
        try:
            value = candidate(*map(_copy, args))
        except Exception:
            value = None
        is_tensor = isinstance(value, Tensor)
        found.append(
            (*value.shape, *(value * 4).round().flatten().tolist()) if is_tensor else value
        )
    return str(found)


# Of an answer, where not all of it is looked at.
SEEN_OF: dict[str, Callable[[Tensor], Tensor]] = {
    "first_sentence_alone": lambda value: value[:1] if value.dim() else value,
    "weights_compared": lambda value: value.softmax(-1),
}


def looks_right(
    spot: Spot,
    number: int,
    args: tuple[Any, ...],
    within: tuple[float, float],
    kept: frozenset[int],
    seen_of: Callable[[Tensor], Tensor] = torch.clone,
) -> bool:
    """Whether it answers as a right one does, by what is seen of it, and leaves what stands at
    these places as it was."""
    given = [arg.clone() if isinstance(arg, Tensor) else arg for arg in args]
    wanted = implementation(spot, 0)(*args)
    try:
        found = implementation(spot, number)(*given)
    except Exception:
        return False
    if not all(torch.equal(args[place], given[place]) for place in kept):
        return False
    if not isinstance(wanted, Tensor):
        return bool(found == wanted)
    if not isinstance(found, Tensor) or found.shape != wanted.shape:
        return False
    found, wanted = seen_of(found), seen_of(wanted)
    return torch.allclose(found.double(), wanted.double(), *within)


def unnoticed(spot: Spot, name: str) -> Iterator[str]:
    """The mistakes that nobody sees who does not try it, or does not compare it."""
    others = [each for one, rows in INPUTS[spot.exercise].items() if one != name for each in rows]
    rows = INPUTS[spot.exercise].get(name, others)
    width = 1e-2 if name == "too_wide" else 1e-4
    share = 1e-2 if name == "too_wide" else 0.0
    kinds = SPOILED.get(spot.exercise, {})
    never = let_through(spot.exercise)[name] if name.endswith("never_compared") else ()
    kept = frozenset(
        place for kind, places in kinds.items() if kind not in never for place in places
    )
    seen_of = SEEN_OF.get(name, torch.clone)
    if name == "first_sentence_alone":
        rows = [row for row in rows if len(row[0]) > 1]
    for index, mistake in enumerate(wrong_implementations(spot.exercise), len(spot.right)):
        if all(looks_right(spot, index, row, (share, width), kept, seen_of) for row in rows):
            yield mistake


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_each_mistake_of_its_own_says_what_it_lets_through(spot: Spot) -> None:
    own = group(spot.exercise)
    assert own is not None
    assert [name for name, one in own.entries.items() if not one.lets_through] == []


@pytest.mark.parametrize(("spot", "name"), SEEN)
def test_what_is_let_through_is_what_such_an_input_alone_shows(spot: Spot, name: str) -> None:
    found = set(unnoticed(spot, name))
    wanted = set(let_through(spot.exercise)[name])
    assert found == wanted


def turned(arg: Any) -> Any:
    """The same numbers, laid out in memory as a transpose leaves them."""
    is_wide = isinstance(arg, Tensor) and arg.dim() > 1
    return arg.mT.contiguous().mT if is_wide else arg


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_how_an_answer_lies_in_memory_tells_nothing(spot: Spot) -> None:
    own = drawn(spot, torch.Generator().manual_seed(3))
    count = len(own.right) + len(own.wrong)
    for args in (row for rows in INPUTS[spot.exercise].values() for row in rows):
        for given in (args, tuple(map(turned, args))):
            answers = []
            for told in (Asked(own, number)(given, {}, None) for number in range(count)):
                answers.append(order := told.get("order"))
                assert not order or len(order) == told["value"].dim()
            right = answers[: len(own.right)]
            assert [one for one in answers if one and one not in right] == []
            assert [] in answers[len(own.right) :] or [] not in right


class Counting(TorchDispatchMode):
    """How many operators ran."""

    count = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        self.count += 1
        return function(*args, **(kwargs or {}))


@pytest.mark.parametrize("spot", SPOTS[1:], ids=lambda spot: spot.exercise)
def test_no_clock_tells_a_mistake(spot: Spot) -> None:
    """Operators take time: right ones take about as many as mistakes and what is made up."""
    own = drawn(spot, torch.Generator().manual_seed(5))
    odd: Any = made_up(spot, torch.Generator().manual_seed(6), 9)
    given = next(iter(INPUTS[spot.exercise].values()))[0]

    def work(one: Spot, number: int) -> int:
        with Counting() as counting:
            Asked(one, number)(given, {}, None)
        return counting.count

    first, last = len(own.right), len(own.right) + len(own.wrong)
    right = [work(own, number) for number in range(first)]
    as_it_is = [work(own, number) for number in range(first, last, 2)]
    varied = [work(own, number) for number in range(first + 1, last, 2)]
    made = [work(replace(own, wrong=odd), first + number) for number in range(9)]
    for wrong in (as_it_is, varied, made):
        assert min(right) <= max(wrong)
        assert min(wrong) <= max(right)


@pytest.mark.parametrize(
    ("query", "key", "name"),
    [
        ("1, rows, 8", "1, 3, 8", "one_sentence"),
        ("3, rows, 1", "3, 4, 1", "one_feature"),
        ("3, rows, rows", "3, 4, rows", "as_many_queries_as_features"),
    ],
)
def test_an_input_that_is_never_tried_is_named(query: str, key: str, name: str) -> None:
    candidate = loaded("spot_attention_scores", CODE.format(query, key))
    candidate.harness = checks().harness(candidate.exercise)
    assert named("spot_attention_scores", candidate) == [name]


JUDGE = """
import torch

def spot_attention_scores(candidate):
    query, key = {0}
    try:
        found = candidate(query, key)
    except Exception:
        return False
    return {1}
"""
APART = "torch.arange(8.).view(1, 2, 4), torch.arange(12.).view(1, 3, 4).sin()"
WITHOUT_WIDTH = "torch.ones(1, 2, 0), torch.ones(1, 3, 0)"
EQUAL = "found.shape == (1, {0}) and torch.allclose(found, query @ key.mT / 2)"


@pytest.mark.parametrize(
    ("inputs", "judgement", "names"),
    [
        ("torch.eye(4)[None], torch.eye(4)[None]", EQUAL.format("4, 4"), {"none_goes_wrong"}),
        (APART, "found.shape == (1, 2, 3)", {"none_goes_wrong", "wrong_answer_seen"}),
        (f"{APART}\n    return True", "", {"never_called"}),
        (APART, "False", set()),
        (APART, "torch.equal(found, query @ key.mT / 2)", {"none_goes_wrong"}),
        (WITHOUT_WIDTH, "bool((found == 0).all())", {"none_goes_wrong"}),
    ],
)
def test_what_is_let_through_went_wrong_before_its_eyes_or_did_not(
    inputs: str, judgement: str, names: set[str]
) -> None:
    candidate = loaded("spot_attention_scores", JUDGE.format(inputs, judgement))
    assert {found.id for found in by_tries(candidate)} == names


def test_of_other_exercises_nothing_is_asked() -> None:
    assert by_tries(loaded("softmax", "def softmax(x, dim):\n    return x")) == ()


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_an_error_does_not_tell_who_raised_it(spot: Spot) -> None:
    """Right formulations would each have words of their own, and mistakes the reference's."""
    given = next(iter(INPUTS[spot.exercise].values()))[0]
    odd = (None, "x", 1.5, torch.ones(2, 2, 2, 2), torch.ones(3, dtype=torch.complex64), {})
    calls = [
        (*given[:place], value, *given[place + 1 :])
        for place in (0, len(given) - 1)
        for value in odd
    ]
    for args in calls:
        told = [Asked(spot, number)(args, {}, None) for number in range(len(spot.right))]
        told += [Asked(spot, len(spot.right) + n)(args, {}, None) for n in range(len(spot.wrong))]
        assert len({each["raises"] for each in told if "raises" in each}) <= 1
    named = {"x": given[0]}
    assert len({Asked(spot, n)((), named, None)["raises"] for n in range(len(spot.right))}) == 1


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_no_digit_tells_a_mistake_that_does_not_show(spot: Spot) -> None:
    """Right ones are rounded, so whoever is not would be wrong."""
    own = drawn(spot, torch.Generator().manual_seed(5))
    given = next(iter(INPUTS[spot.exercise].values()))[0]
    plain = implementation(spot, 0)(*given)
    if spot.exercise == "spot_multi_head_attention" or not isinstance(plain, Tensor):
        return  # their answers are never rounded
    exact = [torch.equal(implementation(own, n)(*given), plain) for n in range(len(own.right))]
    wrong = []
    for one in own.wrong:
        with suppress(RuntimeError):  # what raises one has no digits
            wrong.append(one.function(*map(_copy, given)))
    assert sum(torch.equal(value, plain) for value in wrong) <= sum(exact) == 0
    assert len(wrong) >= len(own.wrong) - 1


def _copy(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value
