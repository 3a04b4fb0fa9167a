"""What a module's inputs meet, one after the other, as the worker shows it; knows no exercise.

A part is a linear map with its bias, a table, or a scale with its shift, in the order of use. Its
axes are those of what it makes, then those of what it gets. So a weight is the same here however it
is laid out: fused, stacked, transposed, in a list. Each number is one of the learner's parameters,
or else the module is shown as if it held what its parameters come to.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from ...candidate.candidate import Candidate, CandidateModule
from ..misconceptions.function_subject import Probe

_MOST = 200  # parts; a stack of three layers has thirty
Values = Mapping[str, Tensor]
Read = Callable[[Values], Tensor]  # the same recipe reads values and gradients
Layout = dict[str, Read]


@dataclass(eq=False, frozen=True)
class Held:
    """A tensor of a part: its shape without axes of size 1, and the recipe that gives it."""

    shape: tuple[int, ...]
    read: Read

    @property
    def numel(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)

    def rows(self, start: int, count: int) -> Held:
        """A stretch of its first axis."""
        read = self.read
        return Held((count, *self.shape[1:]), lambda values: read(values)[start : start + count])


@dataclass(eq=False, frozen=True)
class Part:
    """What inputs meet at one place; a shift alone has no weight."""

    weight: Held | None
    bias: Held | None = None
    whole: Held | None = None  # the parameter that a table's rows come from
    is_used: bool = True

    @property
    def shape(self) -> tuple[int, ...]:
        """Of its weight."""
        return () if self.weight is None else self.weight.shape

    @property
    def numel(self) -> int:
        """How many numbers its weight has."""
        return 0 if self.weight is None else self.weight.numel

    @property
    def form(self) -> tuple[tuple[int, ...] | None, ...]:
        """The shapes, by which equal layers are known."""
        return tuple(None if held is None else held.shape for held in (self.weight, self.bias))


def shown(
    candidate: Candidate, module: CandidateModule, probes: Sequence[Probe], **how: bool
) -> CandidateModule:
    """The module as if it held what its parameters come to.

    `merged`: scales go into maps; `apart`: two maps in a row are two, also through few numbers.
    """
    calls = [{"args": probe.args, "kwargs": probe.kwargs} for probe in probes]
    made = candidate.request("effective", handle=module.handle, calls=calls, **how)
    return CandidateModule(candidate, made)


def values_shown(
    candidate: Candidate, module: CandidateModule, values: Values
) -> dict[str, Tensor]:
    """What parameters of these values come to, in a module that is shown."""
    answer = candidate.request("effective_values", handle=module.handle, values=dict(values))
    found: dict[str, Tensor] = answer["values"]
    return found


def numbered(values: Values) -> dict[str, Tensor]:
    """A number of its own for every number of all parameters; 0 is none."""
    starts = itertools.accumulate((value.numel() for value in values.values()), initial=1)
    return {
        name: torch.arange(start, start + value.numel()).reshape(value.shape)
        for start, (name, value) in zip(starts, values.items(), strict=False)
    }


def parts_of(candidate: Candidate, module: CandidateModule, values: Values) -> list[Part] | None:
    """The parts of a module that is shown, as recipes on its parameters of these values.

    None where some number is none of the parameters', but made of several.
    """
    numbers = numbered(values)
    count = 1 + sum(value.numel() for value in values.values())
    coded = {name: code.to(values[name].dtype) for name, code in numbers.items()}
    codes = values_shown(candidate, module, coded)
    come_to = module.read()
    if codes.keys() != come_to.keys():
        return None
    flat = torch.cat([torch.zeros(1), *(value.flatten().float() for value in values.values())])
    grouped: dict[str, dict[str, Tensor]] = {}
    for name, code in codes.items():
        owner, _, leaf = name.rpartition(".")
        if code.shape != come_to[name].shape or not code.is_floating_point():
            return None
        if torch.equal(code, come_to[name]):  # no parameter is in it
            continue
        places = code.round().long()
        if not bool((places == code).all() & (places >= 0).all() & (places < count).all()):
            return None
        if not torch.allclose(flat[places], come_to[name].float(), atol=1e-5):
            return None
        grouped.setdefault(owner, {})[leaf] = _once(places, leaf)
    seen = torch.zeros(count, dtype=torch.bool)  # by the code of each number
    for places in (places for own in grouped.values() for places in own.values()):
        seen[places] = True
    found: dict[object, Part] = {}
    for own in grouped.values():
        mark = tuple(
            (leaf == "bias", places.shape, places.numpy().tobytes()) for leaf, places in own.items()
        )
        if mark not in found:  # used twice it is one part still
            held = {leaf: _gathered(places, numbers) for leaf, places in own.items()}
            weight = held.get("table", held.get("weight"))
            row = _row_of_table(own, numbers, seen)
            found[mark] = row or Part(weight, held.get("bias"), _whole_table(own, numbers))
    idle = (name for name in values if not bool(seen[numbers[name]].any()))
    unused = [Part(_whole(name, tuple(values[name].shape)), is_used=False) for name in idle]
    return [*found.values(), *unused] if 0 < len(found) <= _MOST else None


def _once(places: Tensor, leaf: str) -> Tensor:
    """Without axes along which all are alike; a table's rows as its parameter has them."""
    for axis in reversed(range(places.dim())):
        if bool((places == places.narrow(axis, 0, 1)).all()):
            places = places.select(axis, 0)
    return places.unique(dim=0) if leaf == "table" and places.dim() == 2 else places


def _whole_table(own: Mapping[str, Tensor], numbers: Mapping[str, Tensor]) -> Held | None:
    """The parameter [rows, features] that the rows of a table come from."""
    rows = own.get("table")
    if rows is None or rows.dim() != 2:
        return None
    for name, all_rows in numbers.items():
        upright = all_rows.squeeze()
        if upright.dim() != 2 or upright.shape[1] != rows.shape[1]:
            continue
        at = rows[:, 0] - upright.flatten()[0]  # counted from its first number
        if bool(((at >= 0) & (at < upright.numel()) & (at % upright.shape[1] == 0)).all()):
            return _whole(name, tuple(upright.shape))
    return None


def _row_of_table(
    own: Mapping[str, Tensor], numbers: Mapping[str, Tensor], seen: Tensor
) -> Part | None:
    """A table of which every token gets one and the same row, where that alone is added."""
    if own.keys() != {"bias"}:
        return None
    for name, rows in numbers.items():
        if rows.dim() != 2 or not own["bias"].numel() == rows.shape[1] < rows.numel():
            continue
        if int(seen[rows].sum()) == rows.shape[1] and bool((rows == own["bias"]).all(1).any()):
            table = _whole(name, tuple(rows.shape))
            return Part(table, whole=table)
    return None


def parts_held(names: Mapping[str, tuple[int, ...]]) -> list[Part]:
    """Parameters themselves as parts, in the order in which they are registered."""
    found: list[Part] = []
    owners: list[str] = []
    for name, shape in names.items():
        owner = name.rpartition(".")[0]
        held = _whole(name, tuple(length for length in shape if length != 1))
        before = found[-1] if found and owners[-1] == owner else None
        named = name.endswith("bias") and len(held.shape) < 3
        if before is not None and before.bias is None and (named or _may_shift(held, before)):
            found[-1] = replace(before, bias=held)
        else:
            found.append(Part(held))
            owners.append(owner)
    return found


def _may_shift(held: Held, before: Part) -> bool:
    return len(held.shape) == 1 and held.numel in (before.shape[:1] + before.shape[-1:])


def _whole(name: str, shape: tuple[int, ...]) -> Held:
    return Held(shape, lambda values: values[name].reshape(shape))


def _gathered(places: Tensor, numbers: Mapping[str, Tensor]) -> Held:
    """The recipe that takes these numbers of the parameters."""
    ends = torch.tensor([own.numel() for own in numbers.values()]).cumsum(0)  # numbers begin at 1
    some = places.flatten()
    owners = torch.searchsorted(ends, some[some > 0]).unique().tolist()
    used = [name for at, name in enumerate(numbers) if at in owners]
    if len(used) == 1 and bool((some > 0).all()):
        name, own = used[0], places - int(numbers[used[0]].flatten()[0])
        shape, first = places.shape, int(own.flatten()[0])
        if torch.equal(own.flatten(), torch.arange(first, first + own.numel())):  # a stretch of it
            last = first + own.numel()
            return Held(tuple(shape), lambda v: v[name].flatten()[first:last].reshape(shape))
        return Held(tuple(places.shape), lambda values: values[name].flatten()[own])
    flat = torch.cat([torch.zeros(1).long(), *(numbers[name].flatten() for name in used)])
    own = torch.searchsorted(flat, places)

    def read(values: Values) -> Tensor:
        some = [values[name].flatten() for name in used]
        return torch.cat([torch.zeros(1, dtype=some[0].dtype), *some])[own]

    return Held(tuple(places.shape), read)
