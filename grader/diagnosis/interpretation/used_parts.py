"""What a module's inputs meet, one after the other, as the worker shows it; knows no exercise.

A part is a linear map with its bias, a table, or a scale with its shift, in the order of use. Its
axes are those of what it makes, then those of what it gets. So a weight is the same here however it
is laid out: fused, stacked, transposed, in a list. Each number is one of the learner's parameters,
or else the module is shown as if it held what its parameters come to.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import torch
from torch import Tensor

from ...candidate.candidate import Ask, Candidate
from ...candidate.candidate_module import CandidateModule
from ...worker.effective import Merging
from ..misconceptions.function_subject import Probe
from .held import FROM, Held, Part, Values, numbered

_MOST = 200  # parts; a stack of three layers has thirty


def shown(
    candidate: Candidate, module: CandidateModule, probes: Sequence[Probe], merging: Merging
) -> CandidateModule:
    """The module as if it held what its parameters come to."""
    calls = [{"args": probe.args, "kwargs": probe.kwargs} for probe in probes]
    made = candidate.request("effective", handle=module.handle, calls=calls, merging=merging)
    return CandidateModule(candidate, made)


def values_shown(
    candidate: Candidate, module: CandidateModule, *many: Values
) -> list[dict[str, Tensor]]:
    """What parameters of these values come to, in a module that is shown, for each of them.

    Raises CandidateError.
    """
    asks = [Ask("effective_values", {"handle": module.handle, "values": v}) for v in many]
    return [each["values"] for each in candidate.all_of(asks)]


def parts_of(candidate: Candidate, module: CandidateModule, values: Values) -> list[Part] | None:
    """The parts of a module that is shown, as numbers of its parameters of these values.

    None where some number is none of the parameters', but made of several.
    """
    numbers = numbered({name: value.shape for name, value in values.items()})
    count = 1 + sum(value.numel() for value in values.values())
    coded = {name: own.places[0].to(values[name].dtype) for name, own in numbers.items()}
    (codes,) = values_shown(candidate, module, coded)
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
    starts = {int(each.places.flatten()[0]): name for name, each in numbers.items() if each.numel}
    for own in grouped.values():
        mark = tuple(
            (leaf == "bias", places.shape, places.numpy().tobytes()) for leaf, places in own.items()
        )
        if mark not in found and not _is_shift_of(own, found.values()):  # twice it is one part
            held = {leaf: Held(places[None], tuple(values)) for leaf, places in own.items()}
            weight = held.get("table", held.get("weight"))
            row = _row_of_table(own, numbers, seen)
            found[mark] = row or Part(weight, held.get("bias"), kind=_kind(own, starts))
    unused = [
        Part(every, is_used=False)
        for every in numbers.values()
        if not bool(seen[every.places].any())
    ]
    return [*found.values(), *unused] if 0 < len(found) <= _MOST else None


def _kind(own: Mapping[str, Tensor], starts: Mapping[int, str]) -> str:
    """Where a map to one feature stands, as `Part` has it; empty for any other part.

    Its parameters' names without numbers, and from which number of theirs on.
    """
    if "weight" not in own or own["weight"].dim() > 1:
        return ""
    if "bias" in own and own["bias"].numel() > 1:
        return ""
    first, names = list(starts), list(starts.values())
    places = [place for held in own.values() for place in held.flatten().tolist()]
    within = {names[bisect(first, place) - 1] for place in places if place}
    listed = " ".join(sorted({re.sub(r"\d+", "#", name) for name in within}))
    place = int(own["weight"].flatten()[0])
    return f"{listed}{FROM}{place - first[bisect(first, place) - 1]}" if place else listed


def _is_shift_of(own: Mapping[str, Tensor], parts: Iterable[Part]) -> bool:
    """Whether it is no more than the bias of one of these, as where parts of a result go on."""
    shift = own.get("bias") if len(own) == 1 else None
    held = (part.bias.places[0] for part in parts if part.bias is not None)
    return shift is not None and any(torch.equal(shift, each) for each in held)


def _once(places: Tensor, leaf: str) -> Tensor:
    """Without axes along which all are alike; a table's rows as its parameter has them."""
    for axis in reversed(range(places.dim())):
        if bool((places == places.narrow(axis, 0, 1)).all()):
            places = places.select(axis, 0)
    return places.unique(dim=0) if leaf == "table" and places.dim() == 2 else places


def _row_of_table(
    own: Mapping[str, Tensor], numbers: Mapping[str, Held], seen: Tensor
) -> Part | None:
    """A table of which every token gets one and the same row, where that alone is added."""
    if own.keys() != {"bias"}:
        return None
    for table in numbers.values():
        rows = table.places[0]
        if rows.dim() != 2 or not own["bias"].numel() == rows.shape[1] < rows.numel():
            continue
        if int(seen[rows].sum()) == rows.shape[1] and bool((rows == own["bias"]).all(1).any()):
            return Part(table)
    return None


def parts_held(names: Mapping[str, tuple[int, ...]]) -> list[Part]:
    """Parameters themselves as parts, in the order in which they are registered."""
    found: list[Part] = []
    owners: list[str] = []
    for name, every in numbered(names).items():
        owner = name.rpartition(".")[0]
        held = every.reshape(*(length for length in every.shape if length != 1))
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
