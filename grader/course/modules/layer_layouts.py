"""Ways to read the parts of one layer: its attentions, its feed-forward network and its norms."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from ...diagnosis.interpretation.held import Held, Part, added, joined
from ...diagnosis.interpretation.layouts import FEWER_NORMS, NORMED, Parts, Sizes, roles_needed
from ...diagnosis.interpretation.module_subject import Switches
from .attention_layout import attention_layouts, linear_part, numbers_in

_MOST = 24  # readings of all attentions


def with_shifts(parts: Sequence[Part], lone: bool = True) -> list[Part]:
    """The same, where a vector alone is the bias of the map before: a residual may be between.

    `lone`: also one that looks like a scale, for a map without a bias.
    """
    found: list[Part] = []
    for part in (part for part in parts if part.is_used):
        shift = part.bias if part.weight is None else None
        before = next((i for i in reversed(range(len(found))) if len(found[i].shape) > 1), None)
        bare = before is not None and found[before].bias is None
        if lone and part.bias is None and len(part.shape) <= 1 and bare:
            shift = part.weight or shift
        whole = None if before is None or shift is None else _shifted(found[before], shift)
        if before is None or whole is None:
            found.append(part)
        else:
            found[before] = whole
    return found


def _shifted(part: Part, shift: Held) -> Part | None:
    """A map with one more bias; None where it makes another number of features."""
    own = shift if part.bias is None else added([part.bias, shift])
    if own is None or shift.numel not in (part.shape[0], part.shape[-1]):
        return None
    return Part(part.weight, own)


def feed_forward_layouts(parts: Sequence[Part], on: Switches, sizes: Sizes) -> Iterator[Parts]:
    """Two linear maps in the order of use, each of them in one part or in several side by side."""
    hidden, inner = sizes.hidden, _inner(sizes, on)
    parts = with_shifts(parts)
    if len(parts) == 2:
        expand = linear_part(parts[0], inner, hidden)
        contract = linear_part(parts[1], hidden, inner)
    else:
        expand = _joined([p for p in parts if len(p.shape) == 2 and p.shape[1] == hidden], inner, 0)
        contract = _joined(
            [p for p in parts if len(p.shape) == 2 and p.shape[0] == hidden], inner, 1
        )
    if expand is None or contract is None:
        return
    if "feed_forward_without_bias" in on or ("b" in expand and "b" in contract):
        yield {"expand": expand, "contract": contract}


def _inner(sizes: Sizes, on: Switches) -> int:
    """How many features the network has inside."""
    return 4 * sizes.hidden if "inner_four_times" in on else sizes.intermediate


def _joined(parts: Sequence[Part], inner: int, axis: int) -> Parts | None:
    """One map of several, along the axis of its inner features."""
    weights = [p.weight for p in parts if p.weight is not None]
    if not weights or sum(w.shape[axis] for w in weights) != inner:
        return None
    shifts = [p.bias for p in parts if p.bias is not None]
    shift: Held | None = None
    if shifts and axis == 1:
        shift = added(shifts)
    elif shifts and len(shifts) == len(parts):
        shift = joined([each.reshape(each.numel) for each in shifts])
    found = {"w": joined(weights, axis)}
    return found if shift is None else {**found, "b": shift}


def norm_part(part: Part) -> Parts:
    """A norm of this scale and shift; without the one that there is none of."""
    found = {"w": part.weight, "b": part.bias}
    return {name: held for name, held in found.items() if held is not None}


def norms_of(
    parts: Sequence[Part], count: int, on: frozenset[str] = frozenset()
) -> tuple[Parts, ...] | None:
    """The norms of a layer in the order of use, where there are as many as these switches say."""
    found = [norm_part(part) for part in parts]
    if len(found) > count or ("first_norm_twice" in on and not found):
        return None
    absent = [i for i, step in enumerate(NORMED.get(count, ())) if f"no_{step}_norm" in on]
    if absent and len(found) == count - 1:
        found.insert(absent[0], {})
    found += [{}] * (count - len(found))
    if not on & {"norm_without_shift", "norm_without_parameters", *FEWER_NORMS}:
        return tuple(found) if all("b" in norm for norm in found) else None
    if "norm_without_parameters" in on and all("w" in norm for norm in found):
        return None
    if "norm_without_shift" in on and not all("w" in norm for norm in found):
        return None
    return tuple(found)


def layer_layouts(
    parts: Sequence[Part],
    on: Switches,
    sizes: Sizes,
    attentions: Sequence[str] = ("attention",),
    norms: Sequence[str] = ("norm1", "norm2"),
) -> Iterator[Parts]:
    """One encoder or decoder layer: attentions, a feed-forward network and norms."""
    if "norm_of_its_own" in on:
        norms = (*norms, f"norm{len(norms) + 1}")
    roles = roles_needed(on)
    own = with_shifts(parts, lone="norm_without_shift" not in on)
    maps = [p for p in own if p.numel >= sizes.width * sizes.hidden]
    found = norms_of([p for p in own if p not in maps], len(norms), on)
    wide, projections = _parted(maps, sizes, _inner(sizes, on), len(attentions) * len(roles))
    forwards = list(feed_forward_layouts(wide, on, sizes))
    if not wide and "no_feed_forward" in on:
        forwards = [{}]
    if found is None or not forwards:
        return
    numbers = len(roles) * sizes.heads * sizes.width * sizes.hidden
    each_attends = _runs(projections, numbers) if len(attentions) > 1 else [projections]
    each = [
        itertools.islice(attention_layouts(own_maps, sizes, roles), _MOST // len(attentions))
        for own_maps in each_attends
    ]
    if len(each) != len(attentions):
        return
    read = itertools.product(*each) if len(each) > 1 else ((one,) for one in each[0])
    for chosen, forward in itertools.product(read, forwards):
        for way in itertools.permutations(chosen):
            attending = dict(zip(attentions, way, strict=True))
            yield {**attending, **forward, **dict(zip(norms, found, strict=True))}


def _parted(
    maps: Sequence[Part], sizes: Sizes, inner: int, roles: int
) -> tuple[list[Part], list[Part]]:
    """The maps of the feed-forward network, and those of attentions."""
    wide = [p for p in maps if inner in p.shape]
    if wide:
        return wide, [p for p in maps if p not in wide]
    attending, *others = _runs(maps, roles * sizes.heads * sizes.width * sizes.hidden)
    return [p for run in others for p in run], attending


def _runs(maps: Sequence[Part], numbers: int) -> list[list[Part]]:
    """The maps in the order of use, so many together that they have so many numbers."""
    found: list[list[Part]] = [[]]
    for part in maps:
        if numbers_in(found[-1]) >= numbers:
            found.append([])
        found[-1].append(part)
    return found
