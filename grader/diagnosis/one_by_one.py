"""Finds several mistakes one after the other: the reference with those known is the new reference.

Inputs differ in what they show, so the first on which an answer is still open mostly shows one or
two mistakes alone. Knows no exercise, no candidate and no reference.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .misconceptions.wrong_turns import Turns

MOST_MISTAKES = 4
_AT_ONCE = 3  # that one input shows first
_WIDTH = 8  # how many of what comes nearest are tried together with others
_HOPE = 3.0  # one of two mistakes alone may lead away, but not far


@dataclass(frozen=True)
class WrongTurn:
    """One way of making a mistake: its name, and the edits of the solution that it is."""

    name: str
    on: Turns


@dataclass(frozen=True)
class Hunt:
    """What there is to try.

    `error(on, case)`: how far the reference with these wrong turns is from the answer to one
    input, 0 where it gives it; `fits(on)`: whether it gives all, and nothing is superfluous.
    """

    turns: Sequence[WrongTurn]
    cases: int
    error: Callable[[Turns, int], float]
    fits: Callable[[Turns], bool]
    most: int  # how often an error is asked for: bounds are counts, never seconds


@dataclass(frozen=True)
class _State:
    names: tuple[str, ...]
    on: Turns


@dataclass
class _Search:
    hunt: Hunt
    tries: int = 0
    known: dict[tuple[Turns, int], float] = field(default_factory=dict)

    def error(self, on: Turns, case: int) -> float:
        key = on, case
        if key not in self.known:
            if self.is_spent:
                return math.inf
            self.tries += 1
            self.known[key] = self.hunt.error(on, case)
        return self.known[key]

    @property
    def is_spent(self) -> bool:
        return self.tries >= self.hunt.most

    def open_case(self, state: _State) -> int | None:
        """The first input on which the answer is another one; None where there is none."""
        cases = range(self.hunt.cases)
        return next((case for case in cases if self.error(state.on, case) > 0), None)

    def further(self, state: _State, case: int) -> Iterator[_State | None]:
        """The states with as few more mistakes as it takes to give the answer to that input.

        None where one more mistake has to be taken: others with fewer come first.
        """
        before = self.error(state.on, case)
        turns: Sequence[WrongTurn] = self.hunt.turns
        found = list(self.with_one(state, turns))
        for many in range(1, min(_AT_ONCE, MOST_MISTAKES - len(state.names)) + 1):
            ranked: list[tuple[float, int]] = []
            for index, each in enumerate(found):
                ranked.append((self.error(each.on, case), index))
                if ranked[-1][0] == 0:
                    yield each
                    if many > 1:  # hardly by chance: first what follows from it
                        yield None
            ranked.sort()
            if self.is_spent or (ranked and ranked[0][0] == 0):
                return
            yield None
            if many == 1:
                alone = {t: self.error(state.on | t.on, case) for t in turns}
                place = {t: i for i, t in enumerate(sorted(turns, key=alone.__getitem__))}
                likely = sorted(enumerate(turns), key=lambda pair: min(pair[0], place[pair[1]]))
                turns = [turn for _, turn in likely if _shows(before, alone[turn])]
            near = [found[index] for error, index in ranked[:_WIDTH] if error < before * _HOPE]
            found = self.with_likely_ones(near, turns)

    def with_likely_ones(self, near: Sequence[_State], turns: Sequence[WrongTurn]) -> list[_State]:
        """Each of these states with one more; what comes early in both lists comes first."""
        ways = ((i + j, a, b) for i, a in enumerate(near) for j, b in enumerate(turns))
        ordered = sorted(ways, key=lambda way: way[0])
        made = (each for _, a, b in ordered for each in self.with_one(a, [b]))
        return list({each.on: each for each in made}.values())

    def with_one(self, state: _State, turns: Iterable[WrongTurn]) -> Iterator[_State]:
        for turn in turns:
            if turn.name not in state.names:
                yield _State((*state.names, turn.name), state.on | turn.on)


def _shows(before: float, after: float) -> bool:
    """Whether a mistake changes anything about an answer, as far as can be told."""
    return math.isinf(before) or (math.isfinite(after) and not math.isclose(before, after))


def one_by_one(hunt: Hunt, starts: Iterable[WrongTurn] = ()) -> tuple[str, ...]:
    """The names of mistakes that together give every answer; empty where none are found.

    `starts`: one of these is among them.
    """
    search = _Search(hunt)
    first = [_State((turn.name,), turn.on) for turn in starts] or [_State((), frozenset())]
    count = itertools.count()
    states: Iterator[_State | None] = iter(first)
    waiting = [(len(first[0].names), next(count), states)]
    seen: set[Turns] = set()
    while waiting and not search.is_spent:
        size, _, states = heapq.heappop(waiting)
        for state in itertools.islice(states, 1):
            heapq.heappush(waiting, (size + (state is None), next(count), states))
            if state is None or state.on in seen:
                continue
            seen.add(state.on)
            case = search.open_case(state)
            if case is None and state.names and hunt.fits(state.on):
                return state.names
            if case is not None and len(state.names) < MOST_MISTAKES:
                further = search.further(state, case)
                heapq.heappush(waiting, (len(state.names) + 1, next(count), further))
    return ()
