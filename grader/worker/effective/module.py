"""Shows a module by what its parameters come to, however they are laid out; judges nothing.

What depends on no input is folded into the tensors that inputs meet: a weight behind a weight_norm,
a merged adapter, one layer's slice of a stack. What is linear in its input with nothing between
becomes one map, which is read off its answers. So a module is shown as if it held plain tensors.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._pytree import tree_leaves, tree_map_only

from . import Merging
from .affine import Affine
from .call_trace import Ref, Trace
from .operations import JOINS, VIEWS
from .token_maps import TokenMap, is_of_ids, map_of, rows_of, token_map

_MOST_VIEWS = 6  # one upon another


@dataclass(frozen=True)
class _Part:
    """What stands for parameters: a map with its plan, or a tensor that inputs meet."""

    order: int
    key: Any
    source: int  # what it maps; itself, where it is no map
    met: tuple[int, int]  # the first step that goes on from it, and its place there
    held: dict[str, Tensor]
    plan: TokenMap | None = None
    hops: tuple[int, int] = (0, 0)  # how many views before its ends a map begins and ends
    diagonal: bool = False


class Effective(nn.Module):
    """A module as if it held what its parameters come to, in the order in which they are met."""

    def __init__(
        self, module: nn.Module, calls: Sequence[tuple[Any, Any]], merging: Merging
    ) -> None:
        super().__init__()
        self._of = lambda: module  # held out of sight: its parameters are not these
        self._merging = merging
        module.eval()
        traces = [Trace(module, args, kwargs) for args, kwargs in calls]
        self._trace = traces[0]
        self._stable = set.intersection(*(trace.keys for trace in traces))
        affine = Affine(traces[0], self._stable, merging)
        parts, maps = _maps(affine)
        parts += _slots(affine, maps)
        self._parts: dict[Any, tuple[nn.Module, _Part]] = {}
        holders: dict[int, nn.Module] = {}
        before: _Part | None = None
        for part in sorted(parts, key=lambda part: (part.met, part.order)):
            holder = holders.setdefault(part.order, nn.Module())
            if before is not None and _go_together(before, part):
                holder = holders[part.order] = holders[before.order]
            before = part
            for leaf, tensor in part.held.items():
                holder.register_parameter(leaf, nn.Parameter(tensor.detach().clone()))
            self._parts[part.key] = holder, part
        for number, holder in enumerate(dict.fromkeys(holders.values())):
            self.add_module(f"part{number}", holder)

    def values(self, given: dict[str, Tensor]) -> dict[str, Tensor]:
        """What parameters of these values come to, by the names that they have here."""
        trace = self._trace
        held = {
            index: given[value.key[1]]
            for index, value in enumerate(trace.values)
            if value.step is None and value.key and value.key[0] == "p" and value.key[1] in given
        }
        found: dict[tuple[int, str], Tensor] = {}
        for holder, part in self._parts.values():
            read = _values(trace, part, held)
            found.update({(id(holder), leaf): tensor for leaf, tensor in read.items()})
        return {
            f"{name}.{leaf}": found[id(holder), leaf]
            for name, holder in self.named_children()
            for leaf, _ in holder.named_parameters()
        }

    def _found(self, affine: Affine) -> Iterator[tuple[_Part, int, int]]:
        """The known maps of a call, each with its ends there."""
        for key, source, target in _ends(affine):
            if key in self._parts:
                part = self._parts[key][1]
                ends = zip((source, target), part.hops, strict=True)
                source, target = (_behind(affine.trace, end)[hops] for end, hops in ends)
                yield part, source, target

    def train(self, mode: bool = True) -> Effective:
        """The module itself learns or not, too."""
        super().train(mode)
        self._of().train(mode)
        return self

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module would answer if its parameters came to what is held here."""
        trace = Trace(self._of(), args, kwargs)
        affine = Affine(trace, self._stable, self._merging)
        later: dict[int, Any] = {}
        for part, source, target in self._found(affine):
            holder = self._parts[part.key][0]
            later[target] = source, _made(holder, part, trace.values[target].tensor)
        env: dict[int, Tensor] = {}
        for index, value in enumerate(trace.values):
            if not value.is_fed and value.key in self._parts:
                holder, part = self._parts[value.key]
                env[index] = holder.get_parameter(next(iter(part.held)))
        wanted = [r.index for r in tree_leaves(trace.output) if isinstance(r, Ref)]
        found = dict(zip(wanted, trace.play(wanted, env, later), strict=True))
        return tree_map_only(Ref, lambda ref: found[ref.index], trace.output)


def _go_together(one: _Part, other: _Part) -> bool:
    """Whether one scales each feature and the other, which comes next, shifts it."""
    alone = one.diagonal and other.diagonal and len(one.held) == len(other.held) == 1
    return alone and "weight" in one.held and "bias" in other.held


def _made(holder: nn.Module, part: _Part, like: Tensor) -> Callable[[Tensor], Tensor]:
    """What a map with these numbers makes of its input, in the axes of what it made before."""
    plan, shape, dtype = part.plan, like.shape, like.dtype
    assert plan is not None

    def make(given: Tensor) -> Tensor:
        held = {leaf: holder.get_parameter(leaf) for leaf in part.held}
        if is_of_ids(given):
            return plan.placed(held["table"].flatten(1)[given.flatten()], given, shape)
        made = plan.rows(given)
        if "weight" in held and part.diagonal:
            made = made * held["weight"].flatten()
        elif "weight" in held:
            made = made @ held["weight"].reshape(-1, made.shape[-1]).T
        made = made + held["bias"].flatten() if "bias" in held else made
        here = plan.fitted(given, shape, made.shape[1])
        return here.placed(made.to(dtype), given, shape)

    return make


def _ends(affine: Affine) -> Iterator[tuple[Any, int, int]]:
    """The key of each map, where it begins and where it ends."""
    times: dict[Any, int] = {}
    for target, (source, slots, _) in affine.ends.items():
        times[slots] = times.get(slots, 0) + 1
        yield (slots, times[slots]), source, target


def _values(trace: Trace, part: _Part, held: dict[int, Tensor]) -> dict[str, Tensor]:
    """What a part comes to with these parameters."""
    if part.plan is None:
        with torch.no_grad():
            (tensor,) = trace.play([part.source], held)
        return {next(iter(part.held)): tensor.detach()}
    if is_of_ids(trace.values[part.source].tensor):
        like = part.held["table"]
        rows = rows_of(trace, part.source, part.order, part.plan, len(like), held)
        return {"table": rows.reshape(like.shape)}
    read = map_of(trace, part.source, part.order, part.plan, held)
    if read is None:
        raise RuntimeError("what was one map is none with other numbers")
    weight, bias = read
    both = {"weight": weight.diag() if part.diagonal else weight, "bias": bias}
    return {leaf: both[leaf].reshape(like.shape) for leaf, like in part.held.items()}


def _behind(trace: Trace, index: int) -> list[int]:
    """A value, what it is a view of, what that is a view of, and so on."""
    found = [index]
    while len(found) <= _MOST_VIEWS and (whole := _seen_in(trace, found[-1])) is not None:
        found.append(whole)
    return found


def _seen_in(trace: Trace, index: int) -> int | None:
    """What a value is a view of, or is put together of views of; None where there is no one."""
    name, fed = _made_of(trace, index)
    if name in VIEWS and len(fed) == 1:
        return fed[0]
    pieces = [_made_of(trace, each) for each in fed]
    wholes = {each for _, of in pieces for each in of}
    if name in JOINS and len(wholes) == 1 and all(piece in VIEWS for piece, _ in pieces):
        return wholes.pop()
    return None


def _made_of(trace: Trace, index: int) -> tuple[str, list[int]]:
    """The operation that made a value, and what of it depends on the input; none made the input."""
    at = trace.values[index].step
    if at is None:
        return "", []
    step = trace.steps[at]
    return step.name, [each for each in step.given if trace.values[each].is_fed]


def _maps(affine: Affine) -> tuple[list[_Part], dict[int, int]]:
    """The maps of a call; and from where to where they go."""
    parts: list[_Part] = []
    maps: dict[int, int] = {}
    for key, start, end in _ends(affine):
        part = _mapped(affine, key, start, end, maps)
        if part is not None:
            maps[part.order] = part.source
            parts.append(part)
    return parts, maps


def _mapped(affine: Affine, key: Any, start: int, end: int, taken: Container[int]) -> _Part | None:
    """The map from one value to another, or from and to what these are views of."""
    trace = affine.trace
    ahead = ((n, s.given.index(end)) for n, s in enumerate(trace.steps) if end in s.given)
    met = next(ahead, (len(trace.steps), 0))
    targets = itertools.takewhile(
        lambda each: each[1] not in taken and each[1] != start, enumerate(_behind(trace, end))
    )
    ends = list(itertools.product(targets, _starts(trace, start)))
    for of_two, ((hops, target), (back, source)) in itertools.product((False, True), ends):
        found = token_map(trace, source, target, of_two)
        if found is not None:
            held, diagonal = _held(trace, source, target, *found)
            return _Part(target, key, source, met, held, found[0], (back, hops), diagonal)
    return None


def _starts(trace: Trace, start: int) -> list[tuple[int, int]]:
    """What it is a view of, with how many views lie between; what repeats something comes last."""
    found = list(enumerate(_behind(trace, start)))
    sizes = [trace.values[index].tensor.numel() for _, index in found]
    return sorted(found, key=lambda each: sizes[each[0]] > min(sizes[each[0] :]))


def _held(
    trace: Trace, source: int, target: int, plan: TokenMap, weight: Tensor, bias: Tensor
) -> tuple[dict[str, Tensor], bool]:
    """What a map holds in its own axes, and whether it but scales each feature."""
    square = weight.shape[0] == weight.shape[1] > 1
    diagonal = square and not bool((weight - weight.diag().diag()).any())
    units, features = plan.axes(trace, source, target)
    if not plan.features:
        return {"table": weight.reshape([len(weight), *units])}, False
    shape = units if diagonal else [*units, *features]
    held = {"weight": (weight.diag() if diagonal else weight).reshape(shape)}
    if bool(bias.any()):
        held["bias"] = bias.reshape(units)
    is_one = diagonal or weight.numel() == 1  # of a single number too: it only shifts
    if is_one and bool(((weight.diag() - 1).abs() < 1e-5).all()):
        del held["weight"]
    return held, diagonal


def _slots(affine: Affine, maps: dict[int, int]) -> list[_Part]:
    """The tensors made of parameters that inputs meet outside of these maps."""
    trace = affine.trace
    ahead = [r.index for r in tree_leaves(trace.output) if isinstance(r, Ref)]
    seen: set[int] = set()
    found: dict[Any, _Part] = {}
    while ahead:
        index = ahead.pop()
        if index in seen:
            continue
        seen.add(index)
        if index in maps:
            ahead.append(maps[index])
            continue
        at = trace.values[index].step
        if at is None or not trace.values[index].is_fed:
            continue
        step = trace.steps[at]
        ahead.extend(i for i in step.given if trace.values[i].is_fed)
        slots = list(dict.fromkeys(s for i in step.given for s in affine.slots(i)))
        for slot in reversed(slots) if step.name == "addcmul" else slots:  # scales come last
            value = trace.values[slot]
            if value.key not in found or found[value.key].order > index:
                found[value.key] = _Part(
                    index, value.key, slot, (at, len(step.given)), {"weight": value.tensor}
                )
    for number, part in enumerate(found.values()):  # as a norm's scale and shift: side by side
        beside = [p.order for p in list(found.values())[:number]].count(part.order)
        leaf = ("weight", "bias", *map(str, range(number)))[beside]
        found[part.key] = replace(part, held={leaf: part.held["weight"]})
    return list(found.values())
