"""A module shown by what its inputs meet, whatever holds the numbers."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from grader.worker.answering import Service
from tests.services import construct, loaded

MODULE = """
    import torch
    from torch import nn
    from torch.nn import functional as F
    from torch.nn.utils.parametrizations import weight_norm
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(0)
            {held}
        def forward(self, x):
            return torch.tanh({made})
    """
# What holds a map from 4 features to 6, and what makes of x [2, 3, 4] what tanh meets.
HOLDERS = {
    "a linear layer": ("self.a = nn.Linear(4, 6)", "self.a(x)"),
    "a transposed tensor": ("self.a = nn.Parameter(torch.randn(4, 6))", "x @ self.a"),
    "two halves": (
        "self.a, self.b = nn.Linear(4, 2), nn.Linear(4, 4)",
        "torch.cat([self.a(x), self.b(x)], -1)",
    ),
    "a row for the bias": (
        "self.a = nn.Parameter(torch.randn(5, 6))",
        "torch.cat([x, torch.ones_like(x[..., :1])], -1) @ self.a",
    ),
    "a vector for each feature": (
        "self.a = nn.ParameterList(nn.Parameter(torch.randn(4)) for _ in range(6))",
        "torch.stack([(x * a).sum(-1) for a in self.a], -1)",
    ),
    "an adapter": (
        "self.a, self.b, self.c = nn.Linear(4, 6), nn.Linear(4, 2), nn.Linear(2, 6)",
        "self.a(x) + self.c(self.b(x))",
    ),
    "a normed weight": ("self.a = weight_norm(nn.Linear(4, 6))", "self.a(x)"),
    "a scale at run time": (
        "self.a, self.s = nn.Linear(4, 6), nn.Parameter(torch.rand(6, 1) + 1)",
        "F.linear(x, self.a.weight * self.s, self.a.bias)",
    ),
    "what is mapped over sentences": (
        "self.a = nn.Linear(4, 6)",
        "torch.vmap(lambda row: self.a(row))(x)",
    ),
}


def _shown(service: Service, handle: int, values: dict[str, Tensor]) -> dict[str, Tensor]:
    """What parameters of these values come to in an object, on two calls."""
    asked = [{"args": (torch.randn(size),), "kwargs": {}} for size in ((2, 3, 4), (1, 5, 4))]
    made = service.handle("effective", {"handle": handle, "calls": asked})["ok"]["handle"]
    answer = service.handle("effective_values", {"handle": made, "values": values})
    found: dict[str, Tensor] = answer["ok"]["values"]
    return found


def _held(service: Service) -> tuple[int, dict[str, Tensor]]:
    """An object's handle and its parameters."""
    handle = construct(service)["handle"]
    return handle, service.handle("read", {"handle": handle})["ok"]["values"]


@pytest.mark.parametrize("how", HOLDERS)
def test_a_map_is_shown_as_one_weight_and_bias(how: str) -> None:
    held, made = HOLDERS[how]
    service = loaded(MODULE.format(held=held, made=made))
    handle, values = _held(service)
    shown = _shown(service, handle, values)
    weights = [t for t in shown.values() if t.shape == (6, 4)]
    shifts = [t for t in shown.values() if t.shape == (6,)]
    assert weights and len(weights) + len(shifts) == len(shown)
    for same in (weights, shifts):  # used for each sentence, it is shown for each
        assert all(torch.equal(tensor, same[0]) for tensor in same)
    x = torch.randn(2, 3, 4)
    answer = service.handle("call", {"target": {"handle": handle}, "args": (x,), "kwargs": {}})
    right = torch.tanh(x @ weights[0].T + sum(shifts[:1], torch.zeros(6)))
    assert torch.allclose(answer["ok"]["value"], right, atol=1e-5)


@pytest.mark.parametrize("how", [how for how in HOLDERS if "normed" not in how])
def test_what_other_parameters_come_to_is_told_too(how: str) -> None:
    held, made = HOLDERS[how]
    service = loaded(MODULE.format(held=held, made=made))
    handle, values = _held(service)
    nothing = {name: torch.zeros_like(value) for name, value in values.items()}
    assert not any(bool(tensor.any()) for tensor in _shown(service, handle, nothing).values())
