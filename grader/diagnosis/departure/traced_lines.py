"""What lines show of themselves beside what right code has; follows nothing from line to line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from ...worker.trail import RETURN
from ..sameness import same_value
from .known import Known
from .recording import Event, RecordedStatement, Recording

Origins = frozenset[int]  # events that made something that no right code has
NONE: Origins = frozenset()
_MOST_PACKED = 4


@dataclass
class CallNames:
    """What stands behind the names of one call of a function."""

    origins: dict[str, Origins] = field(default_factory=dict)
    back: Origins = NONE  # of what was called and came back since the last statement
    turned: Origins = NONE  # of conditions that went another way than in right code
    writers: dict[str, int] = field(default_factory=dict)
    held: dict[str, Any] = field(default_factory=dict)
    is_looping: bool = False  # a loop has begun, which may work part by part


class TracedLines:
    """The lines of one recording of wrong code."""

    def __init__(self, recording: Recording, known: Known, scale: float) -> None:
        """`scale` says how large the inputs are."""
        self._recording = recording
        self._known = known
        self._scale = scale

    def is_end(self, index: int) -> bool:
        """Whether an exception that passes here has ended the call."""
        later = self._recording.events[index:]
        return self._recording.problem is not None and all(e.kind == "raise" for e in later)

    def is_sure_end(self, index: int, every: Mapping[int, CallNames]) -> bool:
        """Whether it is the last line, and what that reads is all known, no mere numbers."""
        event = self._recording.events[index]
        if event.kind != "return" or event.caller:
            return False
        names = every[event.frame]
        reads = self._recording.statements[event.statement].reads
        held = [names.held[name] for name in reads if name in names.held]
        return bool(held) and all(
            isinstance(value, (Tensor, str, list, tuple, dict)) and self._known.has(value) is True
            for value in held
        )

    def is_in_the_making(self, index: int, value: list[Any], names: CallNames) -> bool:
        """Whether a list only begins so, or only holds together what has names."""
        event = self._recording.events[index]
        statement = self._recording.statements[event.statement]
        if event.kind == "return":
            return False
        if names.is_looping and self._known.is_beginning(value):
            return True
        held = [names.held.get(name) for name in statement.reads]
        if len(value) <= _MOST_PACKED and all(any(same(h, part) for h in held) for part in value):
            return True
        later = (e for e in self._recording.events[index + 1 :] if e.frame == event.frame)
        grown = next((e.writes[n] for e in later for n in statement.sets if n in e.writes), None)
        return type(grown) is list and len(grown) > len(value) and grown[: len(value)] == value

    def is_of_parameters(self, event: Event, names: CallNames, outer: CallNames) -> bool:
        """Whether a statement works with what a module holds, and with no tensor beside."""
        number = event.statement
        if event.kind == "call":
            number, names = event.at, outer
        reads = self._recording.statements[number].reads if number >= 0 else ()
        beside = [name for name in reads if not name.startswith("self.")]
        held = [names.held.get(name) for name in beside]
        return len(beside) < len(reads) and not any(isinstance(each, Tensor) for each in held)

    def renamed(self, writer: int, name: str) -> str:
        """What a statement gives this second name to; empty where it does more than that."""
        source = self._recording.statements[self._recording.events[writer].statement].source
        target, equals, other = source.partition(" = ")
        return other if equals and target == name and other.isidentifier() else ""

    def turn_before(self, index: int) -> int | None:
        """The condition or loop that led to an event."""
        events, frame = self._recording.events, self._recording.events[index].frame
        for before in range(index - 1, -1, -1):
            event = events[before]
            if event.frame == frame and self._recording.statements[event.statement].body:
                return before
        return None

    def is_way_out(self, index: int, value: Any, names: CallNames) -> bool:
        """Whether it only hands back what came in, so that the way that led there is wrong."""
        event = self._recording.events[index]
        mine = [e for e in self._recording.events[:index] if e.frame == event.frame]
        if isinstance(value, Tensor) or not any(
            self._recording.statements[e.statement].body for e in mine
        ):
            return False
        reads = self._recording.statements[event.statement].reads
        writers = [names.writers[name] for name in reads if name in names.writers]
        return all(self._recording.events[writer].kind == "call" for writer in writers)

    def wrong_parts(self, event: Event, names: CallNames, wanted: Any) -> Origins:
        """Where the wrong parts of what comes back were made, if each of them has a name."""
        value = event.writes.get(RETURN)
        if type(value) is not type(wanted) or type(value) not in (tuple, dict):
            return NONE
        pairs = zip(_in_order(value, wanted), _in_order(wanted, wanted), strict=False)
        found: set[int] = set()
        for mine, right in pairs:
            if same(mine, right, self._scale):
                continue
            makers = [
                names.writers[name]
                for name in self._recording.statements[event.statement].reads
                if name in names.writers and same(names.held.get(name), mine, self._scale)
            ]
            if self._known.has(mine) is True:
                return NONE  # right by itself, and in the wrong place here
            if len(makers) != 1 or self._recording.events[makers[0]].kind != "line":
                return NONE
            found.update(makers)
        return frozenset(found)


def is_count(event: Event, statement: RecordedStatement, names: CallNames) -> bool:
    """Whether it only sets positions against each other: right code may do without."""
    held = [names.held.get(name) for name in statement.reads]
    return all(
        isinstance(value, Tensor) and not value.is_floating_point() and value.dim() > 1
        for value in event.writes.values()
    ) and not any(isinstance(each, Tensor) and each.squeeze().dim() > 1 for each in held)


def is_squeezed(value: Any, wanted: Any) -> bool:
    """Whether the two have the same shape but for axes of size one."""
    if not isinstance(value, Tensor) or not isinstance(wanted, Tensor):
        return False
    return value.shape != wanted.shape and value.squeeze().shape == wanted.squeeze().shape


def _in_order(value: Any, keys: Any) -> list[Any]:
    return [value.get(key) for key in keys] if type(keys) is dict else list(value)


def is_empty(value: Any) -> bool:
    """Whether it holds nothing."""
    return type(value) in (str, list, tuple, dict) and not value


def same(got: Any, expected: Any, scale: float = 1.0) -> bool:
    """Equal up to rounding."""
    if isinstance(expected, Tensor) and isinstance(got, Tensor):
        return same_value(got, expected, 1e-4, max(scale, _size(expected)))
    return same_value(got, expected, 1e-4, scale)


def _size(value: Tensor) -> float:
    finite = value.double()[value.isfinite()].abs() if value.is_floating_point() else value[:0]
    return float(finite.max()) / 10 if finite.numel() else 1.0
