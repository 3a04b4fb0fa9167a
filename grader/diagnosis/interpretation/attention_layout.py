"""Ways to read tensors as one attention, those that gradients bear out first; knows no mask."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from torch import Tensor

from .families import Family, Partners, Plan, layout_of, plans, role_weight, stacks_alike
from .gradient_invariants import (
    Invariants,
    agree,
    flows_right,
    query_fits_key,
    turned,
    turned_back,
    value_fits_output,
)
from .interleaved import Replay
from .parameters import Layout, Param, Read

_MOST_LATE = 40
_FLOWS, _SCORES, _PAIRS, _ALL = 1, 2, 3, 4  # how far the gradients speak for a plan
T = TypeVar("T")
_Place = tuple[str, int, int, int]  # role, family, which of it, order of its axes


class AttentionPartition:
    """The weights of one attention, and the ways to read them, found as far as asked for.

    `roles`: those of them that are wanted; weights that no role needs are left alone. With
    `invariants`, the ways that the gradients speak for come first.
    """

    def __init__(
        self,
        weights: Sequence[Param],
        heads: int,
        width: int,
        hidden: int,
        roles: str = "qkvo",
        invariants: Invariants | None = None,
    ) -> None:
        self.heads, self.width, self.roles, self.invariants = heads, width, roles, invariants
        self._asked = tuple(weights), heads, width, hidden, roles
        self._families, ranked = plans(*self._asked)
        if (
            invariants is not None
            and _working(weights, invariants) > len(roles) * heads * width * hidden
        ):
            ranked = []  # a role is left out that has its say
        # The same whatever switches are thrown, and the most of the work.
        self._known = {} if invariants is None else invariants.cache
        self._ranked: Replay[tuple[Plan, int]] = self._kept(
            "plans", lambda: _by_clues(self._families, ranked, roles, invariants)
        )

    def layouts(self, partners: Partners) -> Iterator[Layout]:
        """Readings as q_w, k_w, v_w and o_w with biases."""
        yield from self._kept(tuple(partners.items()), lambda: self._layouts(partners))

    def _layouts(self, partners: Partners) -> Iterator[Layout]:
        late: list[Layout] = []
        for plan, confidence in self._plans():
            invariants = self.invariants if confidence else None
            layout = layout_of(self._families, partners, self.roles, *plan)
            if layout is None:
                continue
            if confidence < _PAIRS or invariants is None or _agrees(layout, invariants):
                yield layout
            else:
                late.append(layout)
        yield from late[:_MOST_LATE]

    def _plans(self) -> Iterator[tuple[Plan, int]]:
        yield from self._ranked

    def _kept(self, what: object, make: Callable[[], Iterator[T]]) -> Replay[T]:
        key = self._asked, what
        if key not in self._known:
            self._known[key] = Replay(make())
        found: Replay[T] = self._known[key]
        return found


def attention_layouts(
    weights: Sequence[Param],
    partners: Partners,
    heads: int,
    width: int,
    hidden: int,
    roles: str = "qkvo",
    invariants: Invariants | None = None,
) -> Iterator[Layout]:
    """Readings of one attention's weights and biases, likely ones first."""
    return AttentionPartition(weights, heads, width, hidden, roles, invariants).layouts(partners)


def _working(weights: Sequence[Param], invariants: Invariants) -> int:
    """How many numbers an answer depends on."""
    return sum(int(weight.read()(invariants.many).count_nonzero()) for weight in weights)


class _Witness:
    """What the gradients say of plans; of each role and each pair once."""

    def __init__(self, families: list[Family], roles: str, invariants: Invariants) -> None:
        self._families, self._roles, self._invariants = families, roles, invariants
        self._said: dict[object, bool] = invariants.cache.setdefault(tuple(families), {})
        self._turns: dict[_Place, Tensor] = {}

    def speaks_for(self, plan: Plan) -> int:
        """How far: by gradients of a single token, by what cancels in query and key, in both pairs.

        A softmax over another axis leaves the pairs, another way to merge heads query and key.
        """
        chosen, common, last = plan
        roles = self._roles
        # Thousands of plans are made of some dozens of places: what is known is looked up at once.
        places = [
            (role, family, index, last if role == "o" else common[role])
            for role, (family, index) in zip(roles, chosen, strict=True)
        ]
        flows = True
        for place in places:
            if not self._flows(place):
                flows = False
                break
        by_role = dict(zip(roles, places, strict=True))
        scores = self._cancel(by_role.get("q"), by_role.get("k"))
        pairs = scores and self._cancel(by_role.get("v"), by_role.get("o"))
        if pairs and stacks_alike(self._families, roles, *plan):
            return _ALL if flows else _PAIRS
        return flows * (_SCORES if scores else _FLOWS)

    def _flows(self, place: _Place) -> bool:
        said = self._said.get(place)
        if said is None:
            said = self._said[place] = flows_right(
                {f"{place[0]}_w": self._read(place)}, self._invariants
            )
        return said

    def _cancel(self, one: _Place | None, other: _Place | None) -> bool:
        """Whether a change of basis in the first of a pair undoes one in the second."""
        if one is None or other is None:
            return True
        said = self._said.get((one, other))
        if said is None:
            said = self._said[one, other] = agree(self._turn(one), self._turn(other), exact=False)
        return said

    def _turn(self, place: _Place) -> Tensor:
        """The gradient of a change of basis there, as those of its pair compare it."""
        found = self._turns.get(place)
        if found is None:
            role = place[0]
            layout = {f"{role}_w": self._read(place)}
            found = (
                turned_back(layout, self._invariants)
                if role == "o"
                else turned(layout, role, self._invariants)
            )
            self._turns[place] = found = found.transpose(1, 2) if role == "k" else found
        return found

    def _read(self, place: _Place) -> Read:
        role, family, index, order = place
        return role_weight(self._families[family], role, index, order)


def _by_clues(
    families: list[Family], ranked: Sequence[Plan], roles: str, invariants: Invariants | None
) -> Iterator[tuple[Plan, int]]:
    """Plans, each with how far the gradients speak for it: those that they do most first."""
    if invariants is None:
        yield from ((plan, 0) for plan in ranked)
        return
    witness = _Witness(families, roles, invariants)
    behind: dict[int, list[Plan]] = {_PAIRS: [], _SCORES: [], _FLOWS: [], 0: []}
    for plan in ranked:
        confidence = witness.speaks_for(plan)
        if confidence == _ALL:
            yield plan, confidence
        else:
            behind[confidence].append(plan)
    for confidence, plans_left in behind.items():
        yield from (
            (plan, confidence) for plan in (plans_left if confidence else plans_left[:_MOST_LATE])
        )


def _agrees(layout: Layout, invariants: Invariants) -> bool:
    return query_fits_key(layout, invariants, exact=True) and value_fits_output(
        layout, invariants, exact=True
    )
