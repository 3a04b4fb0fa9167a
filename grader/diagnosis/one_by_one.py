"""Finds several mistakes one after the other: the reference with those known is the new reference.

Inputs differ in what they show, so the first on which an answer is still open mostly shows one or
two mistakes alone. Knows no exercise, no candidate and no reference.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Switches = frozenset[str]
MOST_MISTAKES = 4
_AT_ONCE = 3  # that one input shows first
_WIDTH = 8  # how many of what comes nearest are tried together with others
_HOPE = 3.0  # one of two mistakes alone may lead away, but not far


@dataclass(frozen=True)
class WrongTurn:
    """One way of making a mistake: its name, and the switches that it throws."""

    name: str
    switches: Switches


@dataclass(frozen=True)
class Trial:
    """What there is to try.

    `error(on, case)`: how far the reference with these switches is from the answer to one input, 0
    where it gives it; `fits(on)`: whether it gives all, and nothing of it is superfluous.
    """

    turns: Sequence[WrongTurn]
    cases: int
    error: Callable[[Switches, int], float]
    fits: Callable[[Switches], bool]
    most: int  # how often an error is asked for: bounds are counts, never seconds


@dataclass(frozen=True)
class _State:
    names: tuple[str, ...]
    on: Switches


@dataclass
class _Search:
    trial: Trial
    asked: int = 0
    known: dict[tuple[Switches, int], float] = field(default_factory=dict)

    def error(self, on: Switches, case: int) -> float:
        key = on, case
        if key not in self.known:
            self.asked += 1
            self.known[key] = self.trial.error(on, case)
        return self.known[key]

    @property
    def is_spent(self) -> bool:
        return self.asked >= self.trial.most

    def open_case(self, state: _State) -> int | None:
        """The first input on which the answer is another one; None where there is none."""
        cases = range(self.trial.cases)
        return next((case for case in cases if self.error(state.on, case) > 0), None)

    def further(self, state: _State, case: int) -> Iterator[_State]:
        """The states with as few more mistakes as it takes to give the answer to that input."""
        before = self.error(state.on, case)
        found = list(self.with_one(state, self.trial.turns))
        visible: Sequence[WrongTurn] = ()
        for many in range(1, min(_AT_ONCE, MOST_MISTAKES - len(state.names)) + 1):
            errors = [self.error(each.on, case) for each in found]
            exact = [each for each, error in zip(found, errors, strict=True) if error == 0]
            if exact or self.is_spent:
                yield from exact
                return
            if many == 1:
                visible = [turn for turn in self.trial.turns if self.shows(state, turn, case)]
            ranked = sorted(zip(errors, range(len(found)), strict=True))
            near = [found[index] for error, index in ranked[:_WIDTH] if error < before * _HOPE]
            found = list(dict.fromkeys(b for a in near for b in self.with_one(a, visible)))

    def shows(self, state: _State, turn: WrongTurn, case: int) -> bool:
        """Whether it changes anything about the answer to that input, as far as can be told."""
        before, after = self.error(state.on, case), self.error(state.on | turn.switches, case)
        return math.isinf(before) or (math.isfinite(after) and not math.isclose(before, after))

    def with_one(self, state: _State, turns: Iterable[WrongTurn]) -> Iterator[_State]:
        for turn in turns:
            if turn.name not in state.names:
                yield _State((*state.names, turn.name), state.on | turn.switches)


def one_by_one(trial: Trial, starts: Iterable[WrongTurn] = ()) -> tuple[str, ...]:
    """The names of mistakes that together give every answer; empty where none are found.

    `starts`: one of these is among them.
    """
    search = _Search(trial)
    first = [_State((turn.name,), turn.switches) for turn in starts] or [_State((), frozenset())]
    count = itertools.count()
    waiting = [(len(state.names), next(count), state) for state in first]
    seen = {state.on for state in first}
    while waiting and not search.is_spent:
        _, _, state = heapq.heappop(waiting)
        case = search.open_case(state)
        if case is None:
            if state.names and trial.fits(state.on):
                return state.names
            continue
        if len(state.names) == MOST_MISTAKES:
            continue
        for after in search.further(state, case):
            if after.on not in seen:
                seen.add(after.on)
                heapq.heappush(waiting, (len(after.names), next(count), after))
    return ()
