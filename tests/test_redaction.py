"""What is told of an error beside a lent reference: usual words with known names, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from grader.candidate.failures import Frame, Problem
from grader.marking.redaction import Redaction
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
    redaction = Redaction([Unit(code, "cell 2", 1)])
    redaction.sent(torch.ones(2, 3, 5), 7)
    own, forged = Frame("cell 2", 2, "f", "e / e.sum()"), Frame("cell 2", 9, "e / e.sum()", "x")

    def message_of(kind: str, message: str, *frames: Frame) -> str:
        found = redaction.problem(Problem("raised", kind, message, "call", frames))
        assert redaction.problem(found) == found
        assert "sum" not in repr(found.frames)
        assert redaction.message(found.summary()) == found.summary()
        return str(found)

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
    assert message_of("e / e.sum()", "e / e.sum()", own, forged) == f"an exception{place}"
