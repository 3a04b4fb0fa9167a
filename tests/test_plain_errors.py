"""What is told of an error beside a lent reference: usual words with known names, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from grader.plain_errors import is_usual

KNOWN = {"Tensor", "NoneType", "int", "f", "x", "y", "foo"}


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
    assert is_usual(str(caught.value), KNOWN)


@pytest.mark.parametrize(
    "message",
    [
        "name 'return' is not defined",
        "name 'x' is not defined\nreturn e / e.sum()",
        "shape '[1, 2]' is invalid for input of size 123456789",
        "return e / e.sum(dim, keepdim=True)",
        "",
    ],
)
def test_other_words_are_not(message: str) -> None:
    assert not is_usual(message, KNOWN)
