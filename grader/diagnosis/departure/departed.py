"""Where code departs, and what its recording shows without right code beside it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...worker.trail import RETURN
from .recording import RecordedStatement, Recording

TURN = "→"  # the name under which it is kept which way a condition or a loop went
_MOST_SOURCES = 4
Point = tuple[str, int, str]  # a name in a line


@dataclass(frozen=True)
class Departed:
    """The event at which the numbers depart, and the last one before whose values are known."""

    recording: Recording
    event: int
    before: int | None
    why: str  # raised, or one of those in told_lines.WHY
    is_sure: bool = False  # what comes back is wrong, and all that it is made of there is right

    @property
    def statement(self) -> RecordedStatement:
        """The line; of what a helper was called with, that of the call."""
        event = self.recording.events[self.event]
        is_call = event.kind == "call" and event.at >= 0
        return self.recording.statements[event.at if is_call else event.statement]

    @property
    def sources(self) -> list[tuple[RecordedStatement, str]]:
        """Where what it works with was made last, by name."""
        here = self.statement
        frame = self._frame()
        found: dict[str, RecordedStatement] = {}
        for event in reversed(self.recording.events[: self.event]):
            statement = self.recording.statements[event.statement]
            if event.frame != frame or event.kind != "line" or statement.place == here.place:
                continue
            made = {*event.writes, *statement.sets}  # what is set to what it was is not written
            for name in (name for name in here.reads if name in made):
                found.setdefault(name, statement)
        return [(line, name) for name, line in found.items()][:_MOST_SOURCES]

    def _frame(self) -> int:
        event = self.recording.events[self.event]
        return event.caller if event.kind == "call" and event.at >= 0 else event.frame

    @property
    def points(self) -> Set[Point]:
        """What is made there."""
        place = self.recording.statements[self.recording.events[self.event].statement].place
        names = self.recording.events[self.event].writes
        return {(place.label, place.line, name) for name in names}

    @property
    def makes_tensors(self) -> bool:
        """Whether what the line sets holds floats: numbers that a formula gives."""
        return any(map(is_float, self.recording.events[self.event].writes.values()))

    @property
    def is_unsure(self) -> bool:
        """Whether a number may come of the call as well as of a default."""
        event = self.recording.events[self.event]
        values = event.writes.values()
        return event.kind == "call" and not any(isinstance(each, Tensor) for each in values)


def made(recording: Recording) -> Iterator[tuple[int, Point, Any]]:
    """Every value that a line makes, with the number of its event; and every turn taken."""
    after: dict[int, int] = {}  # by frame, the event that waits for the next
    turns: dict[int, bool] = {}
    for index, event in enumerate(recording.events):
        statement = recording.statements[event.statement]
        before = after.get(event.frame)
        if before is not None:
            body = recording.statements[recording.events[before].statement].body
            turns[before] = statement.place.line == body
        after[event.frame] = index
        if not statement.body:
            del after[event.frame]
    for index, event in enumerate(recording.events):
        place = recording.statements[event.statement].place
        for name, value in event.writes.items():
            yield index, (place.label, place.line, name), value
        if index in turns:
            yield index, (place.label, place.line, TURN), turns[index]


def returns(recording: Recording) -> list[Any]:
    """What calls from outside gave."""
    return [event.writes.get(RETURN) for event in recording.events if recording.is_answer(event)]


def is_float(value: Any) -> bool:
    """Whether a value is a tensor of floats."""
    return isinstance(value, Tensor) and value.is_floating_point()
