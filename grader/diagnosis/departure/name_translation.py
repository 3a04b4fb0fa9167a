"""Which line leads a tensor's name astray: how names come of names, line by line; runs nothing.

A name that is translated goes through several texts before it is the other one. In each of them
only words of the two should stand. A line that is right for other names is right; what it works
with, such as a table, is then at fault.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from ...worker.trail import RETURN
from ...worker.values import Opaque
from .recording import Event, RecordedStatement, Recording

_MOST_DEPTH = 4
_LONG = "…"  # stands for a text that is too long to be a name


@dataclass(frozen=True)
class _Step:
    """A text that a line has made."""

    event: int
    statement: int
    name: str
    before: str
    after: str
    is_handed: bool = False  # back by a function in which the lines that made it stand
    is_whole: bool = False  # one name is made of the other at once


@dataclass
class _Way:
    """What becomes of one tensor's name, until the next one's turn comes."""

    start: str
    name: str
    frame: int
    last: dict[str, str] = field(default_factory=dict)  # the texts that it is by now
    steps: list[_Step] = field(default_factory=list)
    tried: dict[int, int] = field(default_factory=dict)  # statements that could change it


class Translation:
    """How one recording translates names.

    `pairs` holds for each name what it may become; `numbered` the names of tensors that are filled
    with one whole number each.
    """

    def __init__(
        self,
        recording: Recording,
        pairs: Mapping[str, frozenset[str]],
        numbered: Mapping[float, str] | None = None,
    ) -> None:
        self.recording = recording
        self._pairs = pairs
        self._numbered = numbered or {}
        self._writes: dict[tuple[int, str], list[int]] = {}
        self._back: dict[int, set[str]] = {}  # by frame, what functions called there gave
        self._coupled: set[tuple[str, str]] = set()
        ways = list(self._followed())
        self._right = [way for way in ways if pairs[way.start].intersection(way.last.values())]
        self._wrong = [way for way in ways if not pairs[way.start].intersection(way.last.values())]
        self._ways = ways
        self.changing = {step.statement for way in ways for step in way.steps}

    def astray(self, other: Translation | None = None) -> RecordedStatement | None:
        """The line; None where all is right, or nothing can be said for certain.

        `other` is the same code's way with more names: what changes nothing there either is idle.
        """
        found = [self._blamed(way, other) for way in self._wrong]
        lines = {each.place: each for each in found if each is not None}
        return next(iter(lines.values())) if len(lines) == 1 else None

    def _followed(self) -> Iterator[_Way]:
        ways: dict[int, _Way] = {}
        for index, event in enumerate(self.recording.events):
            statement = self.recording.statements[event.statement]
            begins = event.kind == "call" or statement.is_loop
            for name, value in event.writes.items():
                if isinstance(value, Opaque) and value.type_name == "str":
                    value = _LONG
                yield from self._couples(index, name, value)
                self._writes.setdefault((event.frame, name), []).append(index)
                if type(value) is not str:
                    continue
                way = ways.get(event.frame)
                if name == RETURN:
                    self._back.setdefault(event.caller, set()).add(value)
                if begins and value in self._pairs:
                    ways[event.frame] = _Way(value, name, event.frame, {name: value})
                    yield ways[event.frame]
                elif begins and way is not None and name == way.name:
                    del ways[event.frame]
                elif way is not None and not begins:
                    self._step(index, name, value, way)
            way = ways.get(event.frame)
            is_making = event.kind == "line" and not statement.body
            if way is not None and is_making and set(statement.sets) & set(statement.reads):
                way.tried.setdefault(event.statement, index)
            if event.kind == "call" and (named := self._named(event)):
                yield self._pair(event.at, index, *named)

    def _step(self, index: int, name: str, value: str, way: _Way) -> None:
        event = self.recording.events[index]
        if value not in way.last.values():
            before = way.last.get(name if name != RETURN else way.name, "")
            is_handed = value in self._back.get(event.frame, ())
            way.steps.append(_Step(index, event.statement, name, before, value, is_handed))
        if name != RETURN or value not in way.last.values():
            way.last[name] = value

    def _couples(self, index: int, name: str, value: Any) -> Iterator[_Way]:
        """Two names of one tensor that are put together, of which one is known."""
        event = self.recording.events[index]
        if event.kind != "line":
            return
        for two in value.items() if type(value) is dict else ():
            if two in self._coupled or not all(type(text) is str for text in two):
                continue
            self._coupled.add(two)
            for one, other in (two, two[::-1]):
                if one in self._pairs and "." in other and self._is_kin(one, other):
                    yield self._pair(event.statement, index, one, other, name)
                    break

    def _is_kin(self, one: str, other: str) -> bool:
        words = self._words(one).union(*map(self._words, self._pairs[one]))
        return bool(words & self._words(other))

    def _pair(self, statement: int, index: int, one: str, other: str, name: str = "") -> _Way:
        step = _Step(index, statement, name, one, other, is_whole=True)
        return _Way(one, name, self.recording.events[index].frame, {name: other}, [step])

    def _named(self, event: Event) -> tuple[str, str] | None:
        """A numbered tensor and the one name with which a function is called."""
        texts = [each for each in event.writes.values() if type(each) is str and "." in each]
        tensors = [each for each in event.writes.values() if isinstance(each, Tensor)]
        if len(texts) != 1 or len(tensors) != 1 or not tensors[0].numel() or event.at < 0:
            return None
        if not tensors[0].is_floating_point():
            return None
        low, high = float(tensors[0].min()), float(tensors[0].max())
        one = self._numbered.get(low) if low == high else None
        return None if one is None or one not in self._pairs else (one, texts[0])

    def _blamed(self, way: _Way, other: Translation | None) -> RecordedStatement | None:
        odd = next((step for step in way.steps if self._is_odd(step, way)), None)
        step = odd or (way.steps[-1] if way.steps else None)
        if step is None:
            return self._idle(way, other)
        if step.is_handed:
            return None
        statement = self.recording.statements[step.statement]
        if not self._does_right(step.statement) and not self._is_empty(step):
            return statement
        if odd is None and (idle := self._idle(way, other)):
            return idle
        return self._source(step, is_its=odd is not None or step.is_whole)

    def _words(self, text: str) -> set[str]:
        return {word for word in text.split(".") if word}

    def _is_odd(self, step: _Step, way: _Way) -> bool:
        """Whether a word comes in that belongs to neither name, or one goes that both have."""
        words = self._words(way.start)
        wanted = [self._words(name) for name in self._pairs[way.start]]
        if not self._words(step.after) <= words.union(*wanted):
            return True
        kept = words.intersection(*wanted) & self._words(step.before)
        return not kept <= self._words(step.after)

    def _does_right(self, statement: int) -> bool:
        """Whether the line changes other names, or others before, rightly."""
        return any(
            step.statement == statement
            for way in self._ways
            for step in (way.steps if way in self._right else self._even(way))
        )

    def _even(self, way: _Way) -> Iterator[_Step]:
        """The steps before the first odd one, but for the last."""
        even = list(itertools.takewhile(lambda step: not self._is_odd(step, way), way.steps))
        return iter(even if len(even) < len(way.steps) else even[:-1])

    def _is_empty(self, step: _Step) -> bool:
        """Whether an empty text plays a part."""
        reads = self.recording.statements[step.statement].reads
        frame = self.recording.events[step.event].frame
        return any(self._held(frame, name, step.event) == "" for name in reads)

    def _before(self, frame: int, name: str, until: int) -> list[int]:
        frame = frame if (frame, name) in self._writes else 0  # set outside of all functions
        return [index for index in self._writes.get((frame, name), ()) if index < until]

    def _held(self, frame: int, name: str, until: int) -> Any:
        before = self._before(frame, name, until)
        return self.recording.events[before[-1]].writes[name] if before else None

    def _source(self, step: _Step, is_its: bool) -> RecordedStatement | None:
        """The one line that the texts come from, with which a step works; `is_its`: these do it."""
        event = self.recording.events[step.event]
        frame = event.caller if event.kind == "call" else event.frame
        reads = self.recording.statements[step.statement].reads
        found = {
            each.place: each
            for name in reads
            if name != step.name
            for each in self._origins(frame, name, step.event, 0)
        }
        if len(found) != 1:
            return None
        line = next(iter(found.values()))
        held = [self._held(frame, name, step.event) for name in reads if name != step.name]
        return _row(line, [each for each in held if type(each) is str]) if is_its else line

    def _origins(
        self, frame: int, name: str, until: int, depth: int
    ) -> Iterator[RecordedStatement]:
        before = self._before(frame, name, until)
        if not before or depth >= _MOST_DEPTH:
            return
        event = self.recording.events[before[-1]]
        statement = self.recording.statements[event.statement]
        value = event.writes[name]
        if event.kind == "call":
            if event.at >= 0 and type(value) is str:
                yield self.recording.statements[event.at]
        elif statement.is_loop:
            for read in statement.reads:
                held = self._held(frame, read, before[-1])
                if self._is_passed_over(frame, event.statement, held):
                    yield statement
                else:
                    yield from self._origins(frame, read, before[-1], depth + 1)
        elif type(value) in (str, list, tuple, dict) and self._is_once(before):
            yield statement

    def _is_once(self, events: Sequence[int]) -> bool:
        return len({self.recording.events[index].statement for index in events}) == 1

    def _is_passed_over(self, frame: int, loop: int, held: Any) -> bool:
        """Whether a loop leaves out a part of what it goes through, or turns it around."""
        parts = list(held) if isinstance(held, list | tuple | dict) else []
        first = [part[0] if isinstance(part, tuple) and part else part for part in parts]
        seen: dict[Any, None] = {}
        for name in self.recording.statements[loop].sets[:1]:
            for index in self._writes.get((frame, name), ()):
                event = self.recording.events[index]
                if event.statement == loop and type(event.writes[name]) is str:
                    seen[event.writes[name]] = None
        if not seen or not all(type(text) is str for text in first):
            return False
        starts = [way.start for way in self._wrong if way.frame == frame]
        left = [text for text in first if text not in seen and any(text in s for s in starts)]
        return bool(left) or first[: len(seen)] != list(seen)

    def _idle(self, way: _Way, other: Translation | None) -> RecordedStatement | None:
        """The one line that ought to change names and never does; else where those that do read."""
        changing = self.changing | (set() if other is None else self._known_in(other))
        idle = [index for number, index in way.tried.items() if number not in changing]
        if len(idle) == 1:
            return self.recording.statements[self.recording.events[idle[0]].statement]
        if idle or not self._right:
            return None
        found = [
            self._source(
                _Step(index, number, self.recording.statements[number].sets[0], "", ""), False
            )
            for number, index in way.tried.items()
        ]
        return found[0] if len(found) == 1 else None

    def _known_in(self, other: Translation) -> set[int]:
        """The statements that change something in another recording."""
        places = {other.recording.statements[number].place for number in other.changing}
        return {n for n, one in enumerate(self.recording.statements) if one.place in places}


def _row(statement: RecordedStatement, texts: Sequence[str]) -> RecordedStatement:
    """The one line of a long statement that has these texts; else all of it."""
    parts = [(f"'{text}'", f'"{text}"') for text in texts]
    rows = [{part for part in parts if any(p in row for p in part)} for row in statement.rows]
    there = set().union(*rows)
    fit = [number for number, row in enumerate(rows) if there and row == there]
    return statement.at_row(fit[0]) if len(fit) == 1 else statement
