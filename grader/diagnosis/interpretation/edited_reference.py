"""The reference of a module exercise with known wrong turns and any numbers; reads no code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ...curriculum.references import plain_arguments
from ..edited_tree import Edit
from ..misconceptions.changes import changes
from ..misconceptions.function_subject import Probe, altered
from ..variants import Clash, Variant

# What a reading raises that does not even go through the mathematics.
IMPOSSIBLE = (RuntimeError, LookupError, ValueError, TypeError)
# What is done to a solution's module when it is made, given the edits of solutions that it has.
Adapt = Callable[[Variant, nn.Module, Sequence[Edit]], None]


def made_with(
    exercise: str, arguments: Sequence[Any], on: frozenset[str], adapt: Adapt
) -> nn.Module:
    """The solution's module with wrong turns; raises ValueError where no program takes all."""
    made = altered(exercise, on)
    if isinstance(made, Clash):
        raise ValueError(f"no program takes all of {', '.join(sorted(on))}")
    module: nn.Module = made[exercise](*plain_arguments(tuple(arguments))).eval()
    adapt(made, module, [edit for name in on for edit in changes(exercise)[name]])
    return module


class EditedReference:
    """A solution's module with edits, made at some sizes; its numbers come with each call."""

    def __init__(
        self, exercise: str, arguments: Sequence[Any], on: frozenset[str], adapt: Adapt
    ) -> None:
        with torch.device("meta"):  # draws no numbers
            self.module = made_with(exercise, arguments, on, adapt)
        self.shapes: dict[str, tuple[int, ...]] = {}
        self._places: dict[str, list[tuple[nn.Module, str]]] = {}
        places: dict[int, list[tuple[nn.Module, str]]] = {}
        for name, parameter in self.module.named_parameters(remove_duplicate=False):
            owner, _, leaf = name.rpartition(".")
            place = self.module.get_submodule(owner), leaf
            if id(parameter) in places:  # one for several layers
                places[id(parameter)].append(place)
                continue
            places[id(parameter)] = self._places[name] = [place]
            self.shapes[name] = tuple(parameter.shape)
        self._zeros = {name: torch.zeros(shape) for name, shape in self.shapes.items()}
        for holder, leaf in (place for own in self._places.values() for place in own):
            holder._parameters.pop(leaf, None)

    def run(self, numbers: Mapping[str, Tensor], *args: Any, **kwargs: Any) -> Tensor:
        """What it answers with these numbers; what has none is 0."""
        for name, places in self._places.items():
            value = numbers.get(name)
            for owner, leaf in places:
                owner.__dict__[leaf] = self._zeros[name] if value is None else value
        found: Tensor = self.module(*args, **kwargs)
        return found

    def used(self, probes: Sequence[Probe]) -> frozenset[str]:
        """The parameters that an answer to one of these depends on."""
        generator = torch.Generator().manual_seed(0)
        numbers = {
            name: torch.randn(shape, generator=generator).requires_grad_()
            for name, shape in self.shapes.items()
        }
        found: set[str] = set()
        for probe in probes:
            try:
                answer = self.run(numbers, *probe.args, **probe.kwargs)
            except IMPOSSIBLE:
                continue
            if isinstance(answer, Tensor) and answer.requires_grad:
                slopes = torch.autograd.grad(answer.sum(), [*numbers.values()], allow_unused=True)
                found |= {n for n, slope in zip(numbers, slopes, strict=True) if slope is not None}
        return frozenset(found or self.shapes)
