"""Follows what is unknown through a recording back to the line that made it; knows no exercise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Any

from torch import Tensor

from ...worker.trail import RETURN
from ...worker.values import Opaque
from .departed import TURN, Departed, Point, is_float, made
from .known import Known
from .recording import Event, Recording
from .traced_lines import (
    NONE,
    CallNames,
    Origins,
    TracedLines,
    is_count,
    is_empty,
    is_squeezed,
    same,
)

_LAZY = ("generator", "map", "filter", "zip", "reversed")
Bound = Mapping[Point, Sequence[Any]]  # what right code has there, one after the other


class Tracing:
    """One recording of wrong code, beside what right code has on the same input."""

    def __init__(
        self,
        recording: Recording,
        known: Known,
        right: Sequence[Any],
        usual: Set[Point] = frozenset(),
        bound: Bound | None = None,
        scale: float = 1.0,
    ) -> None:
        """`right` are the values that calls from outside should have given; `usual` are points
        that make what no right code has although all comes out right; `bound` are those of which
        it is known what should stand there; `scale` says how large the inputs are."""
        self.recording = recording
        self._known = known
        self._right = list(right)
        self._usual = usual
        self._bound = bound or {}
        self._scale = scale
        self._lines = TracedLines(recording, known, scale)
        self.sure: set[Point] = set()  # known
        self.spread: set[Point] = set()  # unknown, and something unknown was made of them
        self.healed: set[Point] = set()  # unknown, and yet something known was made of them
        self.blurred: set[Point] = set()  # the same, but less was made of them than they tell
        self._names: dict[int, CallNames] = {}
        self._turns: Origins = NONE
        self._aliases: Origins = NONE
        self._is_unsure = False
        self.is_right = True  # as far as can be seen from outside
        self._last_known: int | None = None
        self._seen: dict[Point, int] = {}
        runs = Counter((event.frame, event.statement) for event in recording.events)
        self._repeated = {each for each, count in runs.items() if count > 1}
        self._made: dict[int, list[tuple[Point, Any]]] = {}
        for index, point, value in made(recording):
            self._made.setdefault(index, []).append((point, value))

    def run(self) -> Departed | None:
        """Where it departs; None where all is as it should be, or where nothing can be said."""
        number = 0
        known_before: dict[int, int | None] = {}
        for index, event in enumerate(self.recording.events):
            known_before[index] = self._last_known
            names = self._names.setdefault(event.frame, CallNames())
            came = self._read(event, names)
            for point, value in self._made.get(index, ()):
                origins = self._of(index, point, value, came, names)
                names.held[point[2]] = value
                if point[2] == TURN:
                    names.turned |= origins
                    self._turns |= origins - came
                else:
                    names.origins[point[2]] = origins
                    names.writers[point[2]] = index
            for name in self.recording.statements[event.statement].sets:
                if name not in event.writes and self._lines.renamed(index, name) == name:
                    names.writers[name] = index
                if came and name not in event.writes:  # set to what it was, which is too little
                    names.origins[name] = names.origins.get(name, NONE) | came
            names.back = NONE
            if event.kind == "raise":
                if not self._lines.is_end(index):
                    continue
                self.is_right = False
                if blamed := came | names.turned:
                    return self._departed(blamed, known_before, "value")
                return self._departed(frozenset({index}), known_before, "raised")
            if event.kind != "return":
                continue
            value = event.writes.get(RETURN)
            origins = names.origins.get(RETURN, NONE)
            if event.caller and event.caller in self._names:
                self._names[event.caller].back |= origins or names.turned
            if not self.recording.is_answer(event):
                continue
            if number < len(self._right):
                if not same(value, self._right[number], self._scale):
                    self.is_right = False
                    if number:
                        return None  # an earlier call may have left behind what is wrong
                    wanted = self._right[number]
                    if self._is_unsure and not origins | names.turned:
                        return None
                    blamed = origins | names.turned or self._last_of(index, event, names, wanted)
                    if blamed == {index}:
                        blamed = self._lines.wrong_parts(event, names, wanted) or blamed
                    return self._departed(blamed, known_before, "value")
                self._heal(origins, value)
            number += 1
        return None

    def _departed(
        self, origins: Origins, known_before: dict[int, int | None], why: str
    ) -> Departed | None:
        if not origins:
            return None
        first = min(origins)
        if first in self._turns:
            why = "turn"
        if first in self._aliases:
            why = "alias"
        is_sure = why == "value" and self._lines.is_sure_end(first, self._names)
        return Departed(self.recording, first, known_before.get(first), why, is_sure)

    def _read(self, event: Event, names: CallNames) -> Origins:
        """The origins of all that a statement works with."""
        statement = self.recording.statements[event.statement]
        found = names.back
        for name in statement.reads:
            found |= names.origins.get(name, NONE)
        if event.kind == "call" and event.caller in self._names:
            at = self.recording.statements[event.at] if event.at >= 0 else None
            outer = self._names[event.caller]
            for name in at.reads if at else ():
                found |= outer.origins.get(name, NONE)
        return found

    def _of(self, index: int, point: Point, value: Any, came: Origins, names: CallNames) -> Origins:
        verdict = self._verdict(point, value)
        event = self.recording.events[index]
        names.is_looping |= self.recording.statements[event.statement].is_loop
        if type(value) is int and self.recording.statements[event.statement].is_loop:
            return NONE  # it counts
        if verdict is False and names.is_looping and self._known.is_part(value):
            return came
        if (
            verdict is False
            and type(value) is list
            and self._lines.is_in_the_making(index, value, names)
        ):
            return came
        if verdict is False and self._known.has_filled(value, names.held.get(point[2])):
            return names.origins.get(point[2], NONE)
        if verdict is None and is_empty(value) and not self._known.has_empty(value):
            reads = self.recording.statements[event.statement].reads
            verdict = False if any(name in names.origins for name in reads) else None
        if verdict is True:
            self._last_known = index
            self.sure.add(point)
            self._heal(came, value)
            return NONE
        if verdict is None:  # a generator, a flag: it tells nothing, and may carry what is wrong
            return came
        if came or names.turned:
            self.spread |= {each for one in came for each, _ in self._made.get(one, ())}
            return came | names.turned
        if self._is_too_many(point) and (turn := self._lines.turn_before(index)) is not None:
            self._turns |= {turn}
            return frozenset({turn})
        if point[2] == RETURN and self._lines.is_way_out(index, value, names):
            return NONE
        return NONE if point in self._usual else self._origin(index, event, names)

    def _origin(self, index: int, event: Event, names: CallNames) -> Origins:
        """The event itself, or where what it works with got no more than a second name."""
        statement = self.recording.statements[event.statement]
        if self._is_unsure or (event.kind == "call" and not event.caller):
            return NONE
        if self._lines.is_of_parameters(event, names, self._names.get(event.caller, names)):
            return NONE  # cut to size as a style has it; what is made with it tells
        is_constant = names.origins.keys().isdisjoint(statement.reads) and not any(
            isinstance(value, Tensor) for value in event.writes.values()
        )
        if event.kind == "line" and (is_constant or is_count(event, statement, names)):
            return NONE  # what it is for shows where it is used
        is_repeated = (event.frame, event.statement) in self._repeated
        is_cut_short = names.is_looping and self.recording.problem is not None
        is_part = (is_repeated or is_cut_short) and event.kind == "line"
        if is_part and any(is_float(value) for value in event.writes.values()):
            self._is_unsure = True  # right code may have no such part of what it makes at once
            return NONE
        for name in statement.reads:
            held = names.held.get(name)
            if is_float(held) and self._known.has(held) is None:
                return NONE  # the same number everywhere: it may be wrong itself
            if isinstance(held, Opaque) and held.type_name in _LAZY:
                self._is_unsure = True  # made here, by an expression that stands elsewhere
                return NONE
            writer = names.writers.get(name)
            if writer is None or self.recording.events[writer].frame != event.frame:
                continue
            other = self._lines.renamed(writer, name)
            source = names.writers.get(other)
            if not other or source is None or (other in statement.reads and other != name):
                continue
            if self.recording.events[source].kind != "call":
                self._aliases |= {writer}
                return frozenset({writer})
        return frozenset({index})

    def _is_too_many(self, point: Point) -> bool:
        """Whether a line runs more often than it does in right code."""
        wanted = self._bound.get(point)
        return wanted is not None and self._seen.get(point, 0) > len(wanted)

    def _verdict(self, point: Point, value: Any) -> bool | None:
        wanted = self._bound.get(point)
        if wanted is not None and not isinstance(value, Opaque):
            place = self._seen.get(point, 0)
            self._seen[point] = place + 1
            if place < len(wanted) and is_squeezed(value, wanted[place]):
                return self._known.has(value)  # the axis may have gone before
            return place < len(wanted) and same(value, wanted[place])
        return None if point[2] == TURN else self._known.has(value)

    def _heal(self, origins: Origins, value: Any) -> None:
        """Note that something right was made of what is unknown: an index hides what led to it."""
        for index in origins:
            made_there = self._made.get(index, ())
            hides = not is_float(value) and any(is_float(each) for _, each in made_there)
            (self.blurred if hides else self.healed).update(point for point, _ in made_there)

    def _last_of(self, index: int, event: Event, names: CallNames, wanted: Any) -> Origins:
        """Where a wrong result is made of what is right: there, or where its name got it."""
        statement = self.recording.statements[event.statement]
        value = event.writes.get(RETURN)
        held = [names.held.get(name) for name in statement.reads]
        is_whole = all(self._known.has_whole(each) for each in held if isinstance(each, Tensor))
        parts = [name for name in statement.reads if name.startswith("self.")]
        is_whole = is_whole and all(f"{part}(" in statement.source for part in parts)
        if is_squeezed(value, wanted) and not is_whole:
            return NONE  # an axis of size one may have come or gone before
        if type(value) is type(wanted) and self._lines.is_way_out(index, value, names):
            return NONE
        if not statement.reads and type(value) is type(wanted):
            return NONE  # a constant of the right kind: the way that led there is wrong
        if any(is_float(each) and not self._known.has_whole(each) for each in held):
            return NONE  # right numbers in another order, which may be what is wrong
        if not statement.source.removeprefix("return ").isidentifier() or not statement.reads:
            return self._origin(index, event, names)
        writer = names.writers.get(statement.reads[0], index)
        event = self.recording.events[writer]
        if event.kind == "call":
            return frozenset({index})
        value = event.writes.get(statement.reads[0])
        if self._known.has_whole(value):
            return frozenset({index})  # right by itself, but not what is to be returned
        return frozenset({writer}) if isinstance(value, Tensor) else NONE
