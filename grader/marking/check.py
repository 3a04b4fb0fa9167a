"""How a test function is marked as a check of an exercise; runs none."""

from collections.abc import Callable
from typing import Any

import pytest

Reference = Callable[..., Any]  # the solution of an exercise


def check(
    exercise: str, *, weight: int = 1, essential: bool = False, harness: str | None = None
) -> pytest.MarkDecorator:
    """Mark a test function as a check of `exercise`; its docstring is the title learners read.

    `essential`: without it the exercise earns nothing. `harness`: source that is run beside the
    learner's code, for what a call from outside cannot do; it holds no answers.
    """
    return pytest.mark.check(exercise=exercise, weight=weight, essential=essential, harness=harness)
