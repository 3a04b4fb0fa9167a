"""Tensors of one shape as projections of an attention, and who may take which; knows no values.

The axes of whatever stores projections are products of four symbols: T (which of query, key, value
and output), H (heads), D (head_dim) and E (hidden). A list of equal tensors is one tensor with one
more axis in front, so per-head lists, fused and transposed layouts are all orders of these symbols.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

import torch
from torch import Tensor

from .orders import orders, product
from .parameters import Layout, Param, Read, Values, hinted, virtual

Partners = Mapping[str, Param]  # weight name → its bias
# Who takes which role, the order of axes of each role but the output, the output's order.
Plan = tuple[tuple[tuple[int, int], ...], dict[str, int], int]
_MOST_CHANCES, _MOST_PLANS, _MOST_MIXED = 130, 4000, 400


@dataclass(frozen=True)
class Family:
    """Weights of one shape, `count` roles' worth of them."""

    params: tuple[Param, ...]
    count: int
    sizes: tuple[tuple[str, int], ...]

    def all_orders(self, output: bool = False) -> tuple[tuple[str, ...], ...]:
        """Orders of its axes, likely ones first; an output projection has its inputs last."""
        one = self.params[0].shape
        found = orders((len(self.params), *one) if len(self.params) > 1 else one, self.sizes)
        if self._heads_outside():
            found = tuple(sorted(found, key=lambda o: o.index("H") > o.index("T")))
        if not output:
            return found
        return tuple(sorted(found, key=lambda order: order.index("E") > order.index("D")))

    def _heads_outside(self) -> bool:
        """Whether a list runs head by head, with all roles of one before the next, by its names."""
        if len(self.params) <= self.count or self.count == 1 or "H" not in dict(self.sizes):
            return False
        digits = ["".join(c for c in param.name if c.isdigit()) for param in self.params[:2]]
        return digits[0] == digits[1]

    def weight(self, index: int, order: tuple[str, ...]) -> Read:
        """[heads, head_dim, hidden] of one role."""
        read, _ = virtual(self.params)
        table = dict(self.sizes)
        lengths = [table[symbol] for symbol in order]
        to = [order.index(symbol) for symbol in "THDE" if symbol in order]

        def role(values: Values) -> Tensor:
            whole = read(values).reshape(lengths).permute(to)
            if "T" in order:
                whole = whole[index]
            return whole if "H" in order else whole.unsqueeze(0)

        return role

    def members(self, index: int, order: tuple[str, ...]) -> list[Param] | None:
        """The whole parameters that a role is made of, head by head; None if a part of one."""
        table = dict(self.sizes)
        if len(self.params) == 1:
            return list(self.params) if "T" not in order else None
        listed: list[str] = []
        product = 1
        for symbol in order:
            if product == len(self.params):
                break
            listed.append(symbol)
            product *= table[symbol]
        if listed == ["T"]:
            return [self.params[index]]
        if listed == ["T", "H"]:
            return list(self.params[index * table["H"] : (index + 1) * table["H"]])
        if listed == ["H", "T"]:
            return list(self.params[index :: table["T"]])
        return list(self.params) if listed == ["H"] and "T" not in order else None

    def bias(
        self, index: int, order: tuple[str, ...], partners: Partners, output: bool
    ) -> Read | None:
        """[heads, head_dim] of one role, or [hidden] for the output; None where it has none."""
        members = self.members(index, order)
        table = dict(self.sizes)
        if members is None:  # a part of a fused tensor: its bias is fused in the same order
            whole = [partners.get(param.name) for param in self.params]
            if any(partner is None for partner in whole):
                return None
            kept = tuple(s for s in order if (s not in "HD" if output else s != "E"))
            lengths = [table[s] for s in kept]
            own = [partner for partner in whole if partner is not None]
            if sum(partner.numel for partner in own) != product(lengths):
                return None
            if len({partner.shape for partner in own}) > 1:
                return None
            to = [kept.index(s) for s in "THDE" if s in kept]
            read, _ = virtual(own)
            rows = (-1,) if output else (table.get("H", 1), -1)
            return lambda values: read(values).reshape(lengths).permute(to)[index].reshape(rows)
        found = [partners.get(member.name) for member in members]
        own = [partner for partner in found if partner is not None]
        if not own or len({partner.shape for partner in own}) > 1:
            return None
        if output:  # several, where each head has an output map of its own: they add up
            read, _ = virtual(own)
            return lambda values: read(values).reshape(-1, table["E"]).sum(0)
        kept = tuple(s for s in order if s in "HD")
        lengths = [table[s] for s in kept]
        if len(found) * own[0].numel != product(lengths):
            return None
        to = [kept.index(s) for s in "HD" if s in kept]
        heads = table.get("H", 1)
        read = _with_gaps(found)
        return lambda values: read(values).reshape(lengths).permute(to).reshape(heads, -1)


def _with_gaps(found: Sequence[Param | None]) -> Read:
    """Those that are there, one after the other, and zeros for heads that have none."""
    reads = [None if param is None else param.read() for param in found]
    zeros = next(torch.zeros(param.shape) for param in found if param is not None)
    return lambda values: torch.stack([zeros if one is None else one(values) for one in reads])


@lru_cache(maxsize=64)
def plans(
    weights: tuple[Param, ...], heads: int, width: int, hidden: int, roles: str
) -> tuple[list[Family], list[Plan]]:
    """Who takes which role, and in which order the axes are read: likely ones first."""
    used = [weight for weight in weights if not weight.unused]
    families = _families(used, heads, width, hidden)
    if sum(family.count for family in families) < len(roles):
        families = _families(weights, heads, width, hidden)
    slots = [(f, index) for f, family in enumerate(families) for index in range(family.count)]
    if len(slots) < len(roles) or len(slots) > 8:
        return families, []
    chances = []
    for chosen in itertools.permutations(slots, len(roles)):
        cost = _role_cost(families, dict(zip(roles, chosen, strict=True)))
        chances.append((cost, chosen))
    chances.sort(key=lambda chance: chance[0])
    ranked: list[tuple[int, Plan]] = []
    mixed: list[tuple[int, Plan]] = []
    for rank, (cost, chosen) in enumerate(chances[:_MOST_CHANCES]):
        by_role = dict(zip(roles, chosen, strict=True))
        last = len(families[by_role["o"][0]].all_orders()) if "o" in roles else 1
        found = [(ranked, _orders(families, by_role))]
        if len(mixed) < _MOST_MIXED:
            found.append((mixed, _values_apart(families, by_role)))
        for kept, ways in found:
            for (orders_of, odd), o in itertools.product(ways, range(last)):
                kept.append((cost + 2 * (odd + o) + rank // 4, (chosen, orders_of, o)))
        if len(ranked) > _MOST_PLANS:
            break
    ranked.sort(key=itemgetter(0))
    mixed.sort(key=itemgetter(0))
    return families, [plan for _, plan in (*ranked, *mixed[:_MOST_MIXED])]


def _orders(
    families: list[Family], by_role: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[dict[str, int], int]]:
    """Orders of axes for each role but the output, and how odd: the same in each family."""
    asked = {role: f for role, (f, _) in by_role.items() if role != "o"}
    shared = sorted(set(asked.values()))
    for picks in itertools.product(*(range(len(families[f].all_orders())) for f in shared)):
        place = dict(zip(shared, picks, strict=True))
        yield {role: place[f] for role, f in asked.items()}, sum(picks)


def _values_apart(
    families: list[Family], by_role: Mapping[str, tuple[int, int]]
) -> Iterator[tuple[dict[str, int], int]]:
    """The same with values cut in another way than queries and keys of their family."""
    if not {"q", "k", "v"} <= by_role.keys() or len({by_role[role][0] for role in "qkv"}) > 1:
        return
    family = families[by_role["v"][0]]
    found = family.all_orders()
    for one, other in itertools.permutations(range(len(found)), 2):
        if _same_stacking(family, found[one], found[other]):
            yield {"q": one, "k": one, "v": other}, one + other


def layout_of(
    families: list[Family],
    partners: Partners,
    roles: str,
    chosen: tuple[tuple[int, int], ...],
    common: dict[str, int],
    o: int,
) -> Layout | None:
    """The weights and biases of a plan; None where its output is cut in another way."""
    if not stacks_alike(families, roles, chosen, common, o):
        return None
    layout: Layout = {}
    for role, (f, index) in zip(roles, chosen, strict=True):
        family, place = families[f], o if role == "o" else common[role]
        layout[role + "_w"] = role_weight(family, role, index, place)
        order = family.all_orders(role == "o")[place]
        bias = family.bias(index, order, partners, role == "o") if partners else None
        if bias is not None:
            layout[role + "_b"] = bias
    return layout


def role_weight(family: Family, role: str, index: int, place: int) -> Read:
    """[heads, head_dim, hidden] of a role, or [hidden, heads, head_dim] of the output."""
    weight = family.weight(index, family.all_orders(role == "o")[place])
    return (lambda values: weight(values).permute(2, 0, 1)) if role == "o" else weight


def stacks_alike(
    families: list[Family],
    roles: str,
    chosen: tuple[tuple[int, int], ...],
    common: dict[str, int],
    o: int,
) -> bool:
    """Whether the output is cut from its family as the other roles are that share it."""
    if "o" not in roles:
        return True
    f = chosen[roles.index("o")][0]
    family = families[f]
    beside = (role for role, (g, _) in zip(roles, chosen, strict=True) if g == f and role != "o")
    end, found = family.all_orders(True)[o], family.all_orders()
    return all(_same_stacking(family, end, found[common[role]]) for role in beside)


def _same_stacking(family: Family, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two orders cut the same family into the same roles."""
    if "T" not in one:
        return False
    table = dict(family.sizes)
    before = [product([table[s] for s in order[: order.index("T")]]) for order in (one, other)]
    return before[0] == before[1]


def _families(weights: Sequence[Param], heads: int, width: int, hidden: int) -> list[Family]:
    unit = heads * width * hidden
    groups: dict[tuple[object, ...], list[Param]] = {}
    for param in weights:  # what holds several roles is cut by itself, not as one of a list
        own = (param.name,) if param.numel > unit else ()
        groups.setdefault((*param.shape, *own), []).append(param)
    found = []
    for params in groups.values():
        total = len(params) * params[0].numel
        count, rest = divmod(total, unit)
        if rest or not count or count > 6:
            continue
        sizes = [("T", count), ("H", heads), ("D", width), ("E", hidden)]
        kept = tuple((s, n) for s, n in sizes if n > 1)
        found.append(Family(tuple(params), count, kept))
    return found


def _role_cost(families: list[Family], chosen: Mapping[str, tuple[int, int]]) -> int:
    """How unlikely an assignment is: names that speak against it, roles out of the usual order."""
    cost = 0
    places = [chosen[role] for role in chosen]
    cost += sum(a > b for a, b in itertools.pairwise(places))
    for role, (f, index) in chosen.items():
        family = families[f]
        size = len(family.params)
        if size != family.count:  # names of fused tensors and of lists of heads tell nothing
            continue
        name = family.params[index].name
        own = hinted(name, role)
        best = max(hinted(name, other) for other in "qkvo")
        cost += 4 * (best - own)
    return cost
