"""Reads linear maps of tokens, and tables of ids, off what a recorded call answers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from .call_trace import Trace

MAX_ROWS = 128  # of a table that is read row by row
_MOST_AXES = 6


@dataclass(frozen=True)
class TokenMap:
    """Which axes of a map's input are features, and where its tokens' axes are in its output."""

    features: tuple[int, ...]
    tokens: tuple[int, ...]
    places: tuple[int, ...]

    def axes(self, trace: Trace, source: int, target: int) -> tuple[list[int], list[int]]:
        """How long the axes of its units are, and those of its features; a table's are its rows."""
        given, made = trace.values[source].tensor.shape, trace.values[target].tensor.shape
        units = [length for a, length in enumerate(made) if a not in self.places]
        return units, [given[a] for a in self.features]

    def fitted(self, given: Tensor, shape: Sequence[int], units: int) -> TokenMap:
        """The same where its tokens have other places in the output, as before a transpose."""
        asked = [given.shape[a] for a in self.tokens]
        count = math.prod(asked)
        every = itertools.permutations(range(len(shape)), len(asked))
        for places in (self.places, *every):
            has_all = max(places, default=0) < len(shape) and math.prod(shape) == units * count
            if has_all and [shape[a] for a in places] == asked:
                return replace(self, places=places)
        return self

    def rows(self, given: Tensor) -> Tensor:
        """The input as [tokens, features]."""
        width = math.prod(given.shape[a] for a in self.features)
        return given.permute((*self.tokens, *self.features)).reshape(-1, width)

    def result(self, made: Tensor) -> Tensor:
        """The output as [tokens, units]."""
        rest = [a for a in range(made.dim()) if a not in self.places]
        count = math.prod(made.shape[a] for a in self.places)
        return made.permute((*self.places, *rest)).reshape(count, -1)

    def placed(self, found: Tensor, given: Tensor, shape: Sequence[int]) -> Tensor:
        """[tokens, units] as the output has it."""
        rest = [a for a in range(len(shape)) if a not in self.places]
        order = [*self.places, *rest]
        sizes = [given.shape[a] for a in self.tokens] + [shape[a] for a in rest]
        back = [order.index(a) for a in range(len(shape))]
        return found.reshape(sizes).permute(back)


def is_of_ids(tensor: Tensor) -> bool:
    """Whether a tensor holds ids: whole numbers."""
    return tensor.dtype in (torch.int64, torch.int32)


def token_map(
    trace: Trace, source: int, target: int, of_two: bool
) -> tuple[TokenMap, Tensor, Tensor] | None:
    """How a map lies in its call, with its weight and bias; None where it is no map of tokens.

    Its features have one axis, or are `of_two`.
    """
    if is_of_ids(trace.values[source].tensor):
        return None if of_two else _lookup(trace, source, target)  # which has no features
    given, made = trace.values[source].tensor.detach(), trace.values[target].tensor.detach()
    if (
        max(given.dim(), made.dim()) > _MOST_AXES
        or not given.is_floating_point()
        or not given.dim()
    ):
        return None
    for features in _ways(given, of_two):
        tokens = tuple(a for a in range(given.dim()) if a not in features)
        for places in itertools.permutations(range(made.dim()), len(tokens)):
            if any(given.shape[a] != made.shape[b] for a, b in zip(tokens, places, strict=True)):
                continue
            plan = TokenMap(features, tokens, places)
            try:
                read = map_of(trace, source, target, plan)
                if read is not None and _maps_so(trace, source, target, plan, *read):
                    return plan, *read
            except RuntimeError:
                continue
    return None


def _ways(given: Tensor, of_two: bool) -> dict[tuple[int, ...], None]:
    """Which axes may be features: the last or another; or two, as heads and what each of them has.

    Axes of length 1 may be among them: a result need not have them.
    """
    axes = list(range(given.dim()))[::-1]
    few: list[tuple[int, ...]] = [(a,) for a in axes]
    if of_two:
        few = [(b, a) for a in axes for b in axes if b < a and (given.dim() > 3 or a - b == 2)]
    ones = {a for a in axes if given.shape[a] == 1}
    return dict.fromkeys([*few, *(tuple(sorted({*way, *ones})) for way in few)])


def _maps_so(
    trace: Trace, source: int, target: int, plan: TokenMap, weight: Tensor, bias: Tensor
) -> bool:
    """Whether each token of any numbers is mapped by these alone."""
    given = trace.values[source].tensor
    rows = torch.linspace(-1, 1, given.numel()).reshape(-1, weight.shape[1]).to(given)
    with torch.no_grad():
        (made,) = trace.play([target], {source: _unrows(rows, given, plan)})
    again = rows @ weight.T + bias
    size = max(1.0, float(again.abs().max()))
    return bool((plan.result(made.detach()).to(again) - again).abs().max() <= 1e-4 * size)


def map_of(
    trace: Trace, source: int, target: int, plan: TokenMap, held: dict[int, Tensor] | None = None
) -> tuple[Tensor, Tensor] | None:
    """[units, features] and [units], from what a map answers to one feature at a time.

    `held`: tensors that stand for others meanwhile, such as parameters.
    """
    given = trace.values[source].tensor.detach()
    rows = plan.rows(given)
    count, width = rows.shape

    def answers(asked: Tensor) -> Tensor:
        with torch.no_grad():
            (made,) = trace.play([target], {**(held or {}), source: _unrows(asked, given, plan)})
        return plan.result(made.detach()).to(rows.dtype)

    nothing = answers(torch.zeros_like(rows))
    bias = nothing[0]
    if float((nothing - bias).abs().max()) > 1e-6 * max(1.0, float(bias.abs().max())):
        return None
    found: list[Tensor] = []
    for start in range(0, width, count):
        asked = torch.zeros_like(rows)
        features = torch.arange(start, min(width, start + count))
        asked[features - start, features] = 1.0
        found.append((answers(asked) - bias)[: len(features)])
    return torch.cat(found).T, bias


def _lookup(trace: Trace, source: int, target: int) -> tuple[TokenMap, Tensor, Tensor] | None:
    """A table [rows, units] that ids are looked up in, as a map's weight, and no bias."""
    ids, made = trace.values[source].tensor, trace.values[target].tensor.detach()
    for places in itertools.permutations(range(made.dim()), ids.dim()):
        if [made.shape[a] for a in places] != list(ids.shape):
            continue
        plan = TokenMap((), tuple(range(ids.dim())), places)
        try:
            table = rows_of(trace, source, target, plan, MAX_ROWS + 1)
        except RuntimeError:
            return None
        if int(ids.max()) >= len(table) or len(table) > MAX_ROWS:
            return None
        if float((plan.result(made) - table[ids.flatten()]).abs().max()) <= 1e-5:
            return plan, table, torch.zeros(())
    return None


def _unrows(rows: Tensor, given: Tensor, plan: TokenMap) -> Tensor:
    """[tokens, features] with the axes of a map's input."""
    order = [*plan.tokens, *plan.features]
    back = [order.index(a) for a in range(given.dim())]
    return rows.reshape([given.shape[a] for a in order]).permute(back)


def rows_of(
    trace: Trace,
    source: int,
    target: int,
    plan: TokenMap,
    most: int,
    held: dict[int, Tensor] | None = None,
) -> Tensor:
    """Up to so many rows of a table, one id after the other."""
    ids, made = trace.values[source].tensor, trace.values[target].tensor
    rows: list[Tensor] = []
    while len(rows) < most:
        try:
            with torch.no_grad():
                asked = {**(held or {}), source: torch.full_like(ids, len(rows))}
                (one,) = trace.play([target], asked)
        except (IndexError, RuntimeError):
            break
        if one.shape != made.shape:
            raise RuntimeError("no table")
        rows.append(plan.result(one.detach())[0])
    if len(rows) < 2:
        raise RuntimeError("no table")
    return torch.stack(rows)
