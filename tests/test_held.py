"""Holds what is held of parameters to the tensors that it stands for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from grader.diagnosis.interpretation.held import Held, added, evaluate, joined, numbered
from grader.diagnosis.interpretation.places import places_of

SHAPES = {"table": (6, 4), "map": (6, 4), "shift": (6,), "other": (6,)}
HELD = numbered(SHAPES)
VALUES = {name: torch.randn(shape) for name, shape in SHAPES.items()}
STEPS: list[tuple[Callable[[Held], Held], Callable[[Tensor], Tensor]]] = [
    (lambda held: held.permute(1, 0), lambda tensor: tensor.T),
    (lambda held: held.reshape(4, 6), lambda tensor: tensor.reshape(4, 6)),
    (lambda held: held.reshape(6, 4), lambda tensor: tensor.reshape(6, 4)),
    (lambda held: joined([held, held]).narrow(0, 1, len(held.places[0])), lambda t: t.roll(-1, 0)),
]


@given(st.lists(st.sampled_from(STEPS), max_size=5))
def test_it_is_cut_and_turned_like_a_tensor(
    steps: list[tuple[Callable[[Held], Held], Callable[[Tensor], Tensor]]],
) -> None:
    held, tensor = HELD["map"], VALUES["map"]
    for of_held, of_tensor in steps:
        held, tensor = of_held(held), of_tensor(tensor)
    assert held.shape == tensor.shape
    assert torch.equal(evaluate({"": held}, VALUES)[""], tensor)


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        (joined([HELD["table"], HELD["map"]], 1), torch.cat([VALUES["table"], VALUES["map"]], 1)),
        (added([HELD["shift"], HELD["other"]]), VALUES["shift"] + VALUES["other"]),
        (added([HELD["shift"], HELD["map"]]), None),
    ],
)
def test_several_are_put_together(held: Held | None, wanted: Tensor | None) -> None:
    assert (held is None) == (wanted is None)
    if held is not None and wanted is not None:
        assert torch.equal(evaluate({"": held}, VALUES)[""], wanted)


def test_a_sum_stands_beside_what_is_none() -> None:
    total = added([HELD["shift"], HELD["other"]])
    assert total is not None
    parts = {"w": HELD["map"], "b": joined([total, HELD["shift"].narrow(0, 0, 1)])}
    roles = evaluate(parts, VALUES)
    assert torch.equal(roles["b"][6:], VALUES["shift"][:1])
    assert not places_of(parts, VALUES).are_apart  # its first number is in two places


def test_roles_are_set_by_their_places() -> None:
    total = added([HELD["shift"], HELD["other"]])
    parts = {"w": HELD["map"], "b": total}
    places = places_of(parts, VALUES)
    assert places.are_apart
    changed = places.changed(VALUES, {"b": 3.0, "none": 1.0})
    assert torch.equal(evaluate(parts, changed)["b"], torch.full((6,), 3.0))
    assert torch.equal(changed["map"], VALUES["map"])
    longer = places.multiplied(VALUES, ["w", "w"], 2.0)
    assert torch.equal(longer["map"], 2 * VALUES["map"])
