"""What a candidate is asked, and what came of it, as plain records; knows no transport."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from torch import Tensor

_MOST_AT_ONCE = 1_000  # tensors in requests that go together


@dataclass(frozen=True)
class Outcome:
    """What one call gave back.

    `grads` are aligned with the float tensors among the arguments (None where nothing flows, or
    where no cotangent was given); `mutated` are positions, among all tensors of the arguments
    and then the lists among them, of those changed in place.
    """

    value: Any
    grads: tuple[Tensor | None, ...] = ()
    parameter_grads: Mapping[str, Tensor | None] | None = None
    mutated: tuple[int, ...] = ()
    operators: tuple[str, ...] = ()

    @classmethod
    def from_value(cls, data: Mapping[str, Any]) -> Outcome:
        """What a worker answered to a `call`."""
        rows = {name: tuple(data[name] or ()) for name in ("grads", "mutated", "operators")}
        return cls(**{**data, **rows})


@dataclass(frozen=True)
class Ask:
    """One request that something else sends on: an operation and its payload."""

    op: str
    payload: Mapping[str, Any]


def fitting(asks: Sequence[Ask]) -> Sequence[Ask]:
    """As many of the first as one message holds, but one at least."""
    sizes = accumulate(
        1 + len(ask.payload.get("values", ask.payload.get("args", ()))) for ask in asks
    )
    return asks[: max(1, sum(size <= _MOST_AT_ONCE for size in sizes))]


@dataclass(frozen=True)
class ParameterInfo:
    """One registered parameter; `alias_of` names an earlier one that is the very same object."""

    name: str
    shape: tuple[int, ...]
    requires_grad: bool
    alias_of: str | None = None


@dataclass(frozen=True)
class LooseInfo:
    """A parameter, module or tensor that a module holds without registering it, or a buffer."""

    path: str
    shape: tuple[int, ...]
    kind: str
