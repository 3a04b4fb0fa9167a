"""Which line leads a tensor's name astray: how names come of names, line by line; runs nothing.

A name that is translated goes through several texts before it is the other one. In each of them
only words of the two should stand. A line that is right for other names is right; what it works
with, such as a table, is then at fault.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import Any

from ...candidate.message import Place
from ...worker.trail import RETURN
from ...worker.values import Opaque
from .recording import Event, RecordedStatement, Recording

_MOST_DEPTH = 4
_LONG = "…"  # stands for a text that is too long to be a name


@dataclass
class _Step:
    """A text that a line has made."""

    event: int
    name: str
    before: str
    after: str


@dataclass
class _Way:
    """What becomes of one tensor's name, until the next one's turn comes."""

    start: str
    name: str
    frame: int
    steps: list[_Step] = field(default_factory=list)
    tried: dict[Place, int] = field(default_factory=dict)  # what makes texts, also of no effect

    @property
    def ends(self) -> list[str]:
        """The last text under each name."""
        last = {self.name: self.start} | {step.name: step.after for step in self.steps}
        return list(last.values())


class Translation:
    """How one recording translates names; `pairs` holds for each name what else it may become."""

    def __init__(self, recording: Recording, pairs: Mapping[str, Set[str]]) -> None:
        self.recording = recording
        self._pairs = pairs
        self._writes: dict[tuple[int, str], list[int]] = {}
        self.ways = list(self._followed())
        goes = {way.start for way in self.ways if self._pairs[way.start].intersection(way.ends)}
        self.is_at_all = any(way.steps for way in self.ways)
        self._wrong = [way for way in self.ways if way.start not in goes]
        self._right = [way for way in self.ways if way.start in goes]

    def _followed(self) -> Iterator[_Way]:
        ways: dict[int, _Way] = {}
        texts: dict[tuple[int, str], str] = {}
        for index, event in enumerate(self.recording.events):
            statement = self.recording.statements[event.statement]
            begins = event.kind == "call" or statement.is_loop
            way = ways.get(event.frame)
            for name, value in event.writes.items():
                self._writes.setdefault((event.frame, name), []).append(index)
                if isinstance(value, Opaque) and value.type_name == "str":
                    value = _LONG
                if type(value) is not str:
                    continue
                if begins and value in self._pairs:
                    way = ways[event.frame] = _Way(value, name, event.frame)
                    yield way
                elif begins and way is not None and name == way.name:
                    del ways[event.frame]
                    way = None
                elif way is not None and not begins:
                    before = texts.get((event.frame, name), "")
                    before = before if name != RETURN else way.ends[-1]
                    way.steps.append(_Step(index, name, before, value))
                texts[event.frame, name] = value
            is_making = event.kind == "line" and not statement.body and statement.sets
            if way is not None and is_making and set(statement.sets) & set(statement.reads):
                way.tried.setdefault(statement.place, index)

    def astray(self, other: Translation | None = None) -> RecordedStatement | None:
        """The line; None where all is right, or nothing can be said for certain.

        `other` is the same code's way with other names: what changes nothing there either is idle.
        """
        found = [self._blamed(way, other) for way in self._wrong]
        lines = {each.place: each for each in found if each is not None}
        return next(iter(lines.values())) if len(lines) == 1 else None

    def _blamed(self, way: _Way, other: Translation | None) -> RecordedStatement | None:
        odd = next((step for step in way.steps if self._is_odd(step, way)), None)
        step = odd or (way.steps[-1] if way.steps else None)
        if step is None:
            return self._idle(way, other)
        event = self.recording.events[step.event]
        statement = self.recording.statements[event.statement]
        source = self._source(step, event, way)
        if source is None or not (self._does_right(event.statement) or self._is_empty(step)):
            return statement
        return source

    def _words(self, *texts: str) -> set[str]:
        return {word for text in texts for word in text.split(".") if word}

    def _is_odd(self, step: _Step, way: _Way) -> bool:
        """Whether a word comes in that belongs to neither name, or one goes that both have."""
        words, wanted = self._words(way.start), self._pairs[way.start]
        if not self._words(step.after) <= words.union(*map(self._words, wanted)):
            return True
        both = words.intersection(*map(self._words, wanted))
        return not both & self._words(step.before) <= self._words(step.after)

    def _does_right(self, statement: int) -> bool:
        """Whether the line changes other names, or others before, rightly."""
        return any(
            self.recording.events[step.event].statement == statement
            for way in self.ways
            for step in (way.steps if way in self._right else self._even(way))
        )

    def _even(self, way: _Way) -> Iterator[_Step]:
        """The steps before the first odd one."""
        return itertools.takewhile(lambda step: not self._is_odd(step, way), way.steps)

    def _is_empty(self, step: _Step) -> bool:
        """Whether an empty text plays a part."""
        event = self.recording.events[step.event]
        reads = self.recording.statements[event.statement].reads
        return any(self._held(event.frame, name, step.event) == "" for name in reads)

    def _held(self, frame: int, name: str, until: int) -> Any:
        frame = frame if (frame, name) in self._writes else 0
        before = [i for i in self._writes.get((frame, name), ()) if i < until]
        return self.recording.events[before[-1]].writes[name] if before else None

    def _source(self, step: _Step, event: Event, way: _Way) -> RecordedStatement | None:
        """The one line that the texts come from, with which a step works."""
        reads = self.recording.statements[event.statement].reads
        names = [name for name in reads if name != step.name]
        found = {
            each.place: each
            for name in names
            for each in self._origins(event.frame, name, step.event, 0)
        }
        return next(iter(found.values())) if len(found) == 1 else None

    def _origins(
        self, frame: int, name: str, until: int, depth: int
    ) -> Iterator[RecordedStatement]:
        frame = frame if (frame, name) in self._writes else 0  # set outside of all functions
        before = [i for i in self._writes.get((frame, name), ()) if i < until]
        if not before or depth >= _MOST_DEPTH:
            return
        event = self.recording.events[before[-1]]
        statement = self.recording.statements[event.statement]
        if event.kind == "call":
            return
        if statement.is_loop:
            for read in statement.reads:
                held = self._held(frame, read, before[-1])
                if self._is_passed_over(frame, statement, held):
                    yield statement
                else:
                    yield from self._origins(frame, read, before[-1], depth + 1)
        elif len({self.recording.events[i].statement for i in before}) == 1:
            yield statement

    def _is_passed_over(self, frame: int, loop: RecordedStatement, held: Any) -> bool:
        """Whether a loop leaves out a part of what it goes through, or turns it around."""
        parts = list(held) if isinstance(held, list | tuple | dict) else []
        first = [part[0] if isinstance(part, tuple) and part else part for part in parts]
        seen = list(
            dict.fromkeys(
                self.recording.events[index].writes[name]
                for name in loop.sets[:1]
                for index in self._writes.get((frame, name), ())
                if self.recording.events[index].statement == self._number(loop)
            )
        )
        if not all(type(text) is str for text in (*first, *seen)):
            return False
        starts = [way.start for way in self._wrong if way.frame == frame]
        left = [text for text in first if text not in seen and any(text in s for s in starts)]
        return bool(left) or first[: len(seen)] != seen

    def _number(self, statement: RecordedStatement) -> int:
        return self.recording.statements.index(statement)

    def _idle(self, way: _Way, other: Translation | None) -> RecordedStatement | None:
        """The one line that ought to change names and never does."""
        changing = {self._place(step) for each in self.ways for step in each.steps}
        if other is not None:
            changing |= {other._place(step) for each in other.ways for step in each.steps}
        idle = [index for place, index in way.tried.items() if place not in changing]
        if self._right:
            idle = [index for place, index in way.tried.items() if place in changing]
        if len(idle) != 1:
            return None
        event = self.recording.events[idle[0]]
        statement = self.recording.statements[event.statement]
        if not self._right:
            return statement
        return self._source(_Step(idle[0], statement.sets[0], "", ""), event, way)

    def _place(self, step: _Step) -> Place:
        event = self.recording.events[step.event]
        return self.recording.statements[event.statement].place
