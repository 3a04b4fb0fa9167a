"""A judge of implementations meets one that breaks each single promise, in every run, and each
known mistake of what it judges, if no table says why not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Generator, Tensor

from grader.course.misconceptions.spot_mistakes import SPOILED, taken
from grader.course.misconceptions.spot_variants import drawn
from grader.course.misconceptions.spots import SPOTS
from grader.diagnosis.misconceptions.catalogue import misconceptions, wrong_implementations
from grader.diagnosis.misconceptions.spotting import Asked, Flawed, Spot, implementation
from tests.judged import left_over, parts, promised, unmet
from tests.promises import contract
from tests.test_spots_unseen import looks_right
from tests.unseen_inputs import INPUTS

EXERCISES = [spot.exercise for spot in SPOTS]
UNMET = ("like", "left_open", "unseen")  # tables of tests/judged/
# Of these the docstring says that what becomes of the input does not count, or nothing is a tensor.
LEFT_OPEN = ("tokenization", "embeddings", "attention_scores", "multi_head_attention")
COMPARED = [spot for spot in SPOTS if spot.exercise.removeprefix("spot_") not in LEFT_OPEN]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_sentence_stands_in_the_table(exercise: str) -> None:
    sentences, found = promised(exercise), parts(exercise)
    assert [rest for s in sentences if (rest := left_over(s, found))] == []
    assert [each.part for each in found if not any(each.part in s for s in sentences)] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_promise_is_broken_by_something_or_left_open(exercise: str) -> None:
    assert [each.part for each in parts(exercise) if each.open == bool(each.wrong)] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_every_wrong_implementation_breaks_a_promise(exercise: str) -> None:
    assert {name for each in parts(exercise) for name in each.wrong} == set(
        wrong_implementations(exercise)
    )


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_each_known_mistake_is_met_or_a_table_says_why_not(spot: Spot) -> None:
    exercise, met = spot.exercise, wrong_implementations(spot.exercise)
    said = [name for table in UNMET for names in unmet(exercise, table).values() for name in names]
    # What an exception shows is met as the one that raises an error.
    known = [one.id for one in misconceptions(spot.judged) if one.error is None]
    assert [name for name in known if name not in met and name not in said] == [], (
        f"These known mistakes of {spot.judged} may get through its judges. Add each to "
        f"[spots.{exercise}] in common.toml, or say in tests/judged/{exercise}.toml why not."
    )
    assert [name for name in said if name in met or name not in known or said.count(name) > 1] == []


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_is_left_open_is_left_open_by_the_docstring(exercise: str) -> None:
    docstring = " ".join(contract(exercise))
    assert [words for words in unmet(exercise, "left_open") if words not in docstring] == []


@pytest.mark.parametrize("spot", SPOTS, ids=lambda spot: spot.exercise)
def test_on_whatever_one_goes_wrong_those_like_it_do(spot: Spot) -> None:
    rows = [row for rows in INPUTS[spot.exercise].values() for row in rows]
    numbers = {name: number for number, name in enumerate(wrong_implementations(spot.exercise))}
    for name, others in unmet(spot.exercise, "like").items():
        kept = frozenset(SPOILED.get(spot.exercise, {}).get(name, ()))
        made = [Flawed(other, taken(spot.judged, other)) for other in others]
        own = replace(spot, wrong=(spot.wrong[numbers[name]], *made))
        shown, *also = (
            {
                n
                for n, row in enumerate(rows)
                if not looks_right(own, number, row, (0.0, 1e-4), kept)
            }
            for number in range(len(own.right), len(own.right) + len(own.wrong))
        )
        assert shown
        assert [other for other, found in zip(others, also, strict=True) if shown - found] == []


def test_a_part_that_is_missing_is_seen() -> None:
    found = parts("spot_softmax")
    assert left_over("stable in every row, bool and integer masks", found) == ""
    assert left_over("stable in every row, fast, bool and integer masks", found) == ", fast, "


def _asked(spot: Spot, number: int, given: tuple[Any, ...]) -> dict[str, Any]:
    return Asked(spot, number)(given, {}, None)


def _is_right(told: dict[str, Any], wanted: Tensor) -> bool:
    return "value" in told and torch.allclose(told["value"], wanted, atol=1e-4, equal_nan=True)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("spot", COMPARED, ids=lambda spot: spot.exercise)
def test_each_tensor_alone_is_changed_beside_a_right_answer(spot: Spot, seed: int) -> None:
    own = drawn(spot, Generator().manual_seed(seed))
    given = list(INPUTS[spot.exercise].values())[-1][0]
    wanted = implementation(spot, 0)(*given)
    told = [_asked(own, len(own.right) + n, given) for n in range(len(own.wrong))]
    found = [tuple(one["changed"]) for one in told if _is_right(one, wanted) and one["changed"]]
    assert set(found) == {(place,) for place, arg in enumerate(given) if isinstance(arg, Tensor)}


@pytest.mark.parametrize("spot", COMPARED, ids=lambda spot: spot.exercise)
def test_any_tensor_may_be_changed_before_the_answer(spot: Spot) -> None:
    given = list(INPUTS[spot.exercise].values())[-1][0]
    wanted, places = implementation(spot, 0)(*given), set()
    for seed in range(40):
        own = drawn(spot, Generator().manual_seed(seed))
        last = _asked(own, len(own.right) + len(own.wrong) - 1, given)
        places |= set(last["changed"]) if not _is_right(last, wanted) else set()
    tensors = {place for place, arg in enumerate(given) if isinstance(arg, Tensor)}
    assert places == tensors


def test_masks_of_truth_come_out_wrong_once_and_raise_once_while_integers_are_right() -> None:
    spot = next(each for each in SPOTS if each.exercise == "spot_softmax")
    own = drawn(spot, Generator().manual_seed(1))
    first = len(own.right) + 2 * list(wrong_implementations(spot.exercise)).index("bools_misread")
    scores, mask = torch.randn(2, 3, 4), torch.ones(3, 4).tril()
    wanted = implementation(spot, 0)(scores, mask)
    as_it_is, varied = (_asked(own, number, (scores, mask.bool())) for number in (first, first + 1))
    assert not _is_right(as_it_is, wanted)
    assert "raises" in varied
    for number in (first, first + 1):
        assert _is_right(_asked(own, number, (scores, mask.long())), wanted)
