"""What can be said of an exercise without its answer: what it takes, and what comes back.

A course's expected_forms.py says it for each. Axes are letters with sizes of their own: b batch,
s seq, q queries, k keys, h hidden, n heads, d head_dim, v vocab, c labels, m another width.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ...curriculum.course import course
from ...curriculum.syllabus import judges_others

SIZES = {"b": 3, "s": 5, "q": 4, "k": 6, "h": 8, "n": 2, "d": 4, "v": 11, "c": 7, "m": 9, "1": 1}


@dataclass(frozen=True)
class Given:
    """A tensor to draw: its axes, and whether it holds numbers, ids or ones and zeros."""

    axes: str
    kind: str = "real"

    def draw(self, generator: torch.Generator) -> Tensor:
        """A fresh one, as long as SIZES says along each axis."""
        shape = [SIZES[axis] for axis in self.axes.split()]
        if self.kind == "real":
            return torch.empty(shape).normal_(generator=generator)
        if self.kind == "mask":  # every query keeps its first key
            drawn = torch.randint(0, 2, shape, generator=generator)
            drawn[..., 0], drawn[..., -1] = 1, 0
            return drawn
        return torch.randint(5, SIZES["c"], shape, generator=generator)  # ids of tokens, and labels


@dataclass(frozen=True)
class Form:
    """One exercise: how it is made and called, and what is true of every right one.

    `mask` names the argument whose zeros must make a difference. `alone`: each sentence of a batch
    gets what it gets without the others. `moved`: tokens in another order give results in that
    order. `look` is asked instead, where a call and a shape do not say it: what is wrong, or "".
    """

    takes: Mapping[str, Any] = field(default_factory=dict)
    gives: str | None = None
    dtype: torch.dtype = torch.float32
    made_with: tuple[Any, ...] | None = None  # of a module
    mask: str = ""
    alone: bool = True
    moved: str = ""  # the argument whose tokens move
    smooth: bool = True  # gradients flow
    look: Callable[[Any], str] | None = None


def unlike(tensor: Any, shape: tuple[int, ...], dtype: torch.dtype, name: str) -> str:
    """How something differs from a tensor of this shape and dtype; empty where it does not."""
    if not isinstance(tensor, Tensor):
        return f"{name} should be a tensor."
    if tuple(tensor.shape) != shape or tensor.dtype is not dtype:
        found = f"{list(tensor.shape)} of {tensor.dtype}, not {list(shape)} of {dtype}"
        return f"{name} is {found}.".replace("torch.", "")
    return ""


def _spotted(spot: Any) -> str:
    def raises(*_: Any, **__: Any) -> Any:
        raise RuntimeError("this candidate raises an error")

    found = spot(raises)
    if not isinstance(found, bool):
        return "It should return True or False."
    return "A candidate that raises an error is a wrong one." if found else ""


def form_of(exercise: str) -> Form | None:
    """What is known of an exercise without its answer; None where nothing is."""
    judge = Form(look=_spotted) if judges_others(exercise) else None
    known: dict[str, Form] = course().find("expected_forms", "FORMS", {})
    return judge or known.get(exercise)
