"""What may be told of code that ran beside a lent reference; runs nothing.

Learner code can read what is lent to its worker and put it into whatever comes back. So of what
comes back only this is told: numbers, of which a message holds few digits, and words that are
known: names and lines that the learner handed in, and usual complaints of Python and PyTorch.
"""

import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from torch import Tensor

from ..candidate.failures import Problem
from ..candidate.message import Field, Message, Place, known, message_of
from ..candidate.records import CheckResult, Difference
from ..submission import Unit
from ..worker.values import Config
from .usual_errors import is_usual

MOST_DIGITS = 16  # in one message
_PRECISION = ".3g"  # of numbers that are not whole
_LEFT_OUT = known("…")
_BUILTIN = frozenset({*dir(builtins), "Tensor"})
_UNKNOWN = "an exception"
_SMALL = range(-9, 10)  # axes, and how many there are of something


class Redaction:
    """Leaves out what code may have read in a reference; `written` is what the learner wrote."""

    def __init__(self, written: Sequence[Unit]) -> None:
        self._names = _BUILTIN.union(*(re.findall(r"\w+", unit.code) for unit in written))
        self._lines = {
            Place(unit.label, unit.line + index): text.strip()
            for unit in written
            for index, text in enumerate(unit.code.splitlines())
        }
        self._sizes = set(_SMALL)

    def sent(self, *values: Any) -> None:
        """The worker was given this: errors may speak of its sizes."""
        self._sizes.update(_sizes_of(values))

    def problem(self, problem: Problem) -> Problem:
        """Its type, the learner's own lines, and its words where they are usual ones, or ours."""
        if problem.words is not None:
            return replace(problem, words=self.message(problem.words))
        frames = tuple(
            replace(
                frame,
                function=frame.function if frame.function in self._names else "",
                source=self._lines[Place(frame.label, frame.line)],
            )
            for frame in problem.frames
            if Place(frame.label, frame.line) in self._lines
        )
        usual = is_usual(problem.message, self._names, self._sizes)
        return replace(
            problem,
            type=problem.type if problem.type in self._names else _UNKNOWN,
            frames=frames,
            words=known(problem.message) if usual else known(""),
        )

    def knows(self, name: str) -> bool:
        """Whether the learner wrote this name."""
        return name in self._names

    def line(self, place: Place) -> str | None:
        """The line as the learner wrote it; None where it is not theirs."""
        return self._lines.get(place)

    def message(self, message: str) -> Message:
        """The message without text that others chose, and with few digits."""
        left = MOST_DIGITS

        def shown(field: Field) -> Field:
            nonlocal left
            if isinstance(field, Place):
                return field
            if isinstance(field, str):
                return _LEFT_OUT
            if isinstance(field, float):
                field = float(format(field, _PRECISION))
            digits = sum(character.isdigit() for character in str(field))
            if digits > left:
                return _LEFT_OUT
            left -= digits
            return field

        return message_of(message).rebuilt(shown)

    def result(self, check: CheckResult) -> CheckResult:
        """The result of a check, with what may be told of it."""
        return replace(
            check,
            message=self.message(check.message),
            differences=self.differences(check.differences),
            picture=None,  # it holds many numbers that the code chose
        )

    def differences(self, found: Sequence[Difference]) -> tuple[Difference, ...]:
        """The first one."""
        return tuple(
            Difference(*map(self.message, (one.index, one.expected, one.got))) for one in found[:1]
        )


def _sizes_of(values: Iterable[Any]) -> Iterator[int]:
    """Numbers, and the lengths of axes, alone and of neighbours taken together."""
    for value in values:
        if isinstance(value, Tensor):
            for start in range(value.dim()):
                product = 1
                for size in value.shape[start:]:
                    product *= size
                    yield product
        elif isinstance(value, Config):
            yield from _sizes_of(value.fields.values())
        elif type(value) is int:
            yield value
