"""The one way out of the marker: what a mark tells passes here, within bounds; runs nothing.

A line is one that the learner wrote, a list counts what is there, a text of learner code's is
short. Where a reference was lent, code may have read it and put it into whatever came back: then
numbers, lines, names and words that it could choose spend from one budget, and other text is left
out.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..candidate.failures import Problem
from ..candidate.message import (
    LEFT_OUT,
    Choice,
    Field,
    Line,
    Message,
    Place,
    Quote,
    known,
    message_of,
)
from ..candidate.records import (
    CheckResult,
    Diagnosis,
    Difference,
    Location,
    Mark,
    Picture,
    mark_to_json,
)
from ..submission import Unit
from .budget import CharacterBudget
from .facts import MAX_DIFFERENCES
from .vocabulary import Vocabulary

MOST_BYTES = 64_000  # of a mark, as JSON
_MOST_TEXT = 500  # characters of a text that learner code chose
_MOST_MESSAGE = 2_000  # characters
_MOST_SIZES = 12  # numbers in a list
_MOST_SOURCES = 12  # other lines
_MOST_SIDE = 16  # rows and columns of a picture
_PLACES = 4  # digits that say which part of a line is meant
_MOST_NUMBER = 16  # characters of a number in it
_PRECISION = ".3g"  # of numbers that are not whole, beside a reference
_UNKNOWN = known("an exception")
NOT_TOLD = known(
    "This is not right. What came back is not told, as a reference ran beside the code: with your "
    "own earlier exercises in its place it is."
)


class Gate:
    """Lets out what one mark may tell.

    `written` is what the learner wrote; None where nobody but the learner hears of the mark.
    `lends`: reference code ran beside it. `is_asked_again`: who hears of it may ask many times.
    """

    def __init__(
        self,
        written: Sequence[Unit] | None = None,
        *,
        lends: bool = False,
        is_asked_again: bool = False,
    ) -> None:
        self.lends = lends
        self._lines = None if written is None else _lines_of(written)
        self._words = Vocabulary([] if written is None else [unit.code for unit in written])
        self._budget = CharacterBudget(is_asked_again=is_asked_again)

    def sent(self, *values: Any) -> None:
        """The worker was given this: errors may speak of its sizes and names."""
        if self.lends:
            self._words.add_sizes(values)

    def problem(self, problem: Problem) -> Problem:
        """Its lines, where they are the learner's, and its type, where it is known."""
        if self._lines is None:
            return problem
        frames = [each for each in problem.frames if (each.label, each.line) in self._lines]
        if not self.lends:
            return replace(problem, frames=tuple(frames))
        mine = (
            replace(
                frame,
                function=frame.function if self._words.knows(frame.function) else "",
                source=self._lines[frame.label, frame.line],
            )
            for frame in frames
        )
        kind = problem.type if self._words.knows(problem.type) else _UNKNOWN
        return replace(problem, type=kind, frames=tuple(mine))

    def mark(self, mark: Mark) -> Mark:
        """The mark with what may be told of it."""
        told = replace(
            mark,
            message=self.message(mark.message),
            location=mark.location and self._location(mark.location),
            checks=tuple(map(self.result, mark.checks)),
            diagnosis=tuple(map(self._diagnosis, mark.diagnosis)),
        )
        return _bounded(told)

    def message(self, text: str) -> Message:
        """The part of a message that may be told; what was let out before stays as it is."""
        message = message_of(text)
        if message.is_let_out:
            return message
        self._budget.begin_message()
        told = message.rebuilt(self._field)
        if self.lends and message.fields:  # whatever else they were known by
            told = told.by_its_words()
        if told == LEFT_OUT or (self._budget.was_short and LEFT_OUT in told):
            told = NOT_TOLD
        return _cut(told, _MOST_MESSAGE).let_out()

    def result(self, check: CheckResult) -> CheckResult:
        """The result of a check, with what may be told of it."""
        if message_of(check.message).is_let_out:
            return check
        most = 1 if self.lends else MAX_DIFFERENCES
        message = self.message(check.message)
        differences = map(self._difference, check.differences[:most])
        return replace(
            check,
            message=message,
            differences=tuple(each for each in differences if each is not None),
            # Beside a reference: it holds many numbers that the code chose.
            picture=None if self.lends or check.picture is None else _small(check.picture),
        )

    def _difference(self, one: Difference) -> Difference | None:
        """Whole, or not at all."""
        parts = tuple(map(self.message, (one.index, one.expected, one.got)))
        return None if NOT_TOLD in parts else Difference(*parts)

    def _diagnosis(self, one: Diagnosis) -> Diagnosis:
        """The same: it is the catalogue's own text, but for numbers that were measured."""
        if not isinstance(one.explanation, Message):
            return one
        return replace(one, explanation=self.message(one.explanation))

    def _location(self, one: Location) -> Location | None:
        place = self._field(Quote(one.cell, one.line, one.source))
        if not isinstance(place, Quote):
            return None
        lines = dict.fromkeys(Line(one.cell, line) for line in one.sources)
        sources = [line for line in map(self._field, lines) if isinstance(line, Line)]
        stood = tuple(map(self.message, one.stood[:_MOST_SOURCES]))
        return replace(
            one,
            source=place.text,
            message=self.message(one.message),
            sources=tuple(each.line for each in sources[:_MOST_SOURCES]),
            part=self._part(one.part, place.text),
            stood=tuple(each for each in stood if each and LEFT_OUT not in each),
            words=self.message(one.words) if one.words else one.words,
        )

    def _part(self, part: str, source: str) -> str:
        """A part of a line that the learner wrote, where it is one."""
        if part == source or part not in source:
            return ""
        return part if not self.lends or self._budget.spend(_PLACES, part) else ""

    def _field(self, field: Field) -> Field:
        if isinstance(field, Place):
            return self._place(field)
        if not self.lends:
            return _short(field)
        if isinstance(field, str):
            return self._text(field)
        if isinstance(field, Choice):
            return field if self._budget.spend(math.log10(field.among)) else LEFT_OUT
        if isinstance(field, float):
            field = float(format(field, _PRECISION))
        characters = len(str(field).replace(" ", "").strip("[]"))
        return field if self._budget.spend(characters) else LEFT_OUT

    def _text(self, text: str) -> Message:
        part = self._words.known_part(text)
        if not part or not self._budget.spend(self._words.cost(part), part):
            return LEFT_OUT
        return known(part)

    def _place(self, place: Place) -> Field:
        source = place.text if isinstance(place, Quote) else ""
        if self._lines is not None:
            line = self._lines.get((place.label, place.line))
            if line is None:
                return LEFT_OUT
            cost, what = len(str(len(self._lines))), f"{place.line} {place.label}"
            if self.lends and not self._budget.spend(cost, what):
                return LEFT_OUT
            if self.lends or not _same_start(source, line):
                source = line
        return replace(place, text=source[:_MOST_TEXT]) if isinstance(place, Quote) else place


def _lines_of(written: Sequence[Unit]) -> dict[tuple[str, int], str]:
    return {
        (unit.label, unit.line + index): text.strip()
        for unit in written
        for index, text in enumerate(re.split(r"\r\n?|\n", unit.code))
        if text.strip()
    }


def _same_start(source: str, line: str) -> bool:
    """Whether a statement of several lines begins with this one."""
    start = "".join(line.partition("#")[0].split())
    return bool(start) and "".join(source.split()).startswith(start[:_MOST_TEXT])


def _short(field: Field) -> Field:
    """Beside no reference: not more than a reader wants."""
    if isinstance(field, str):
        return field if len(field) <= _MOST_TEXT else f"{field[:_MOST_TEXT]}…"
    if isinstance(field, Sequence) and len(field) > _MOST_SIZES:
        return known(f"{list(field[:_MOST_SIZES])}"[:-1] + ", …]")
    return field


def _cut(message: Message, most: int) -> Message:
    return known(f"{message[:most]} …", message.key) if len(message) > most else message


def _small(picture: Picture) -> Picture:
    def grid(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
        return tuple(
            tuple(text[:_MOST_NUMBER] for text in row[:_MOST_SIDE]) for row in rows[:_MOST_SIDE]
        )

    return replace(picture, expected=grid(picture.expected), got=grid(picture.got))


def _bounded(mark: Mark) -> Mark:
    """The mark without pictures, then without differences, then in few words, if it is long."""
    for most in (_MOST_MESSAGE, _MOST_TEXT):
        for spare in ({}, {"picture": None}, {"picture": None, "differences": ()}):
            checks = tuple(
                replace(check, message=_cut(message_of(check.message), most), **spare)
                for check in mark.checks
            )
            shorter = replace(mark, checks=checks)
            if len(json.dumps(mark_to_json(shorter))) <= MOST_BYTES:
                return shorter
    return replace(mark, checks=(), location=None, message=_cut(message_of(mark.message), most))
