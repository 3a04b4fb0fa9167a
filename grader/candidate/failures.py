"""How learner code failed to give a value, and where; knows nothing of what was asked of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .message import Message, Place, aside, joined, known, say

# Where something lay in memory: no use to anybody, and another number in every run.
_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}")


@dataclass(frozen=True)
class Frame:
    """One line of the learner's own code in a traceback, and the part of it that ran."""

    label: str
    line: int
    function: str
    source: str
    part: str = ""


_GROWS = say(
    "it asked for more memory than it may have. Does a loop collect something and never end, or is "
    "something made far larger than it has to be?"
)


@dataclass(frozen=True)
class Problem:
    """Why a call gave no value: what learner code raised, and where."""

    kind: str  # one of the worker's `problems.KINDS`
    type: str
    message: str
    where: str
    frames: tuple[Frame, ...] = ()
    given: tuple[tuple[int, ...], ...] = ()  # the shapes of the tensors that the call was given

    @classmethod
    def from_value(cls, data: Mapping[str, Any]) -> Problem:
        """The problem that a worker reported, of a form that has been checked: text is hostile.

        Addresses are left out of its words, so that two runs say the same.
        """
        message = _ADDRESS.sub("0x…", data["message"])
        frames = tuple(Frame(**frame) for frame in data["frames"])
        return cls(data["kind"], data["type"], message, data["where"], frames)

    @property
    def place(self) -> Place | None:
        """The learner's line that raised it, where there is one."""
        return Place(self.frames[-1].label, self.frames[-1].line) if self.frames else None

    def summary(self) -> Message:
        """What a learner reads of it. Two errors of one type from the same line say the same."""
        place = aside(" ({})", self.place) if self.place else known("")
        last = (self.frames[-1].function, self.frames[-1].line) if self.frames else ""
        kind = f"raised {self.type} {last}"  # in a file of whatever name
        if self.kind == "memory" and not self.message:
            return say("{}{}: {}", self.type, place, _GROWS, kind=kind)
        if self.given:
            shapes = joined(
                " and ",
                (known(str(list(shape)) if shape else "a single number") for shape in self.given),
            )
            place = say("{}, when given {}", place, shapes)
        words = aside(": {}", self.message) if self.message else known("")
        return say("{}{}{}", self.type, words, place, kind=kind)

    def __str__(self) -> str:
        return str(self.summary())


class CandidateError(Exception):
    """The candidate raised instead of answering."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
