"""The reference of a module exercise with known wrong turns and any numbers; reads no code."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ..edited_tree import Edit
from ..misconceptions.function_subject import Probe, edited_solutions, plain_arguments
from ..variants import Variant

# What a reading raises that does not even go through the mathematics, or that no program can have:
# of two edits, one may read a name that the other has taken away.
IMPOSSIBLE = (RuntimeError, LookupError, ValueError, TypeError, NameError)
# What is done to a solution's module when it is made, given the edits of solutions that it has.
Adapt = Callable[[Variant, nn.Module, Sequence[Edit]], None]


def made_with(
    exercise: str, arguments: Sequence[Any], edits: Sequence[Edit], adapt: Adapt
) -> nn.Module:
    """The solution's module with edits; raises Clash."""
    made = edited_solutions(exercise).variant(edits)
    module: nn.Module = made[exercise](*plain_arguments(tuple(arguments))).eval()
    adapt(made, module, edits)
    return module


class EditedReference:
    """A solution's module with edits, made at some sizes; its numbers come with each call."""

    def __init__(
        self, exercise: str, arguments: Sequence[Any], edits: Sequence[Edit], adapt: Adapt
    ) -> None:
        with torch.random.fork_rng(devices=[]):  # what it draws is nobody's
            self.module = made_with(exercise, arguments, edits, adapt)
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
        for holder, leaf in (place for own in self._places.values() for place in own):
            holder._parameters.pop(leaf, None)

    def run(self, numbers: Mapping[str, Tensor], *args: Any, **kwargs: Any) -> Tensor:
        """What it answers with these numbers; what has none is 0."""
        for name, places in self._places.items():
            value = numbers[name] if name in numbers else torch.zeros(self.shapes[name])
            for owner, leaf in places:
                owner.__dict__[leaf] = value
        try:
            found: Tensor = self.module(*args, **kwargs)
        finally:
            for owner, leaf in (place for places in self._places.values() for place in places):
                owner.__dict__.pop(leaf, None)  # it is kept, and a learner's numbers are not
        return found

    def used(self, probes: Sequence[Probe]) -> tuple[str, ...]:
        """The parameters that an answer to one of these depends on, in the order of use."""
        numbers = {n: torch.ones(shape).requires_grad_() for n, shape in self.shapes.items()}
        names = {id(number): name for name, number in numbers.items()}
        order: dict[nn.Module, int] = {}

        def runs(part: nn.Module, _: Any) -> None:
            order.setdefault(part, len(order))

        hooks = [part.register_forward_pre_hook(runs) for part in self.module.modules()]
        found: set[str] = set()
        for probe in probes:
            try:
                answer = self.run(numbers, *probe.args, **probe.kwargs)
            except IMPOSSIBLE:
                continue
            ahead, seen = [getattr(answer, "grad_fn", None)], set()
            while ahead:
                step = ahead.pop()
                if step is not None and step not in seen:
                    seen.add(step)
                    found.add(names.get(id(getattr(step, "variable", None)), ""))
                    ahead += [each for each, _ in step.next_functions]
        for hook in hooks:
            hook.remove()
        used = [name for name in self.shapes if name in found] or list(self.shapes)
        return tuple(sorted(used, key=lambda name: order.get(self._places[name][0][0], 0)))
