"""What a check is kept with: its error, and nothing that the error's frames held."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest
from torch import Tensor

from grader.marking.detached_errors import without_frames
from tests.candidates import checks, loaded

NUMBERS = 1_237  # of no other tensor, and more than a list of tensors may hold
WRONG = """
import torch
def {name}(*args, **kwargs):
    return {made}(torch.zeros({numbers}))
"""


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is freed but what nobody holds."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _answers() -> int:
    found = [each for each in gc.get_objects() if issubclass(type(each), Tensor)]
    return sum(each.numel() == NUMBERS for each in found)


@pytest.mark.parametrize("made", ["", "list", "tuple", "dict(a=0).get('b') or "])
@pytest.mark.parametrize("name", ["softmax", "encode"])
@pytest.mark.usefixtures("uncollected")
def test_no_answer_outlives_its_check(name: str, made: str) -> None:
    candidate = loaded(name, WRONG.format(name=name, made=made, numbers=NUMBERS))
    before = _answers()
    runs = checks().run(name, candidate, 0)
    assert any(run.error is not None for run in runs)
    assert all(run.error is None or run.error.__traceback__ is None for run in runs)
    assert _answers() == before == 0


def test_what_an_error_came_of_goes_too() -> None:
    def fails(number: int) -> None:
        held = [number]
        try:
            raise KeyError(held)
        except KeyError as error:
            if number:
                fails(number - 1)
            raise ValueError(number) from error

    caught = None
    try:
        fails(3)
    except ValueError as error:
        caught = error
    assert caught is not None
    inner = caught.__cause__
    sys.last_value = caught  # as pytest leaves it
    assert without_frames(caught) is caught
    assert str(caught) and inner is not None
    for one in (caught, inner):
        assert one.__traceback__ is one.__context__ is one.__cause__ is None
    assert not hasattr(sys, "last_value")


def test_errors_in_a_circle_come_to_an_end() -> None:
    one, other = ValueError(), KeyError()
    one.__context__, other.__context__ = other, one
    assert without_frames(one) is one
    assert other.__context__ is None
    assert without_frames(None) is None
