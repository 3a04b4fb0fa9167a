"""A sentence that knows its parts: our words, numbers, places, others' words; decides nothing.

A template holds our own words, always as a literal in our code. What stands in its slots is a
number, a list of sizes, a place, another message, or plain text. Plain text is taken for somebody
else's, such as a name or an exception's words: whoever must not repeat it can leave it out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import Formatter
from typing import Any, TypeAlias

_parse = Formatter().parse


@dataclass(frozen=True)
class Place:
    """A line of a learner's file or cell."""

    label: str
    line: int

    def __str__(self) -> str:
        return f"{self.label}, line {self.line}"


class Message(str):
    """The text, with the template and the fields that it was made of; equal to the same text.

    One without fields is its own words throughout. Where it becomes part of a plain text, that is
    plain again. `kind` names what is said where the words alone do not.
    """

    template: str = ""
    fields: tuple[Field, ...] = ()
    kind: str = ""
    _key: str = ""

    @property
    def key(self) -> str:
        """The same for messages that say the same, of whatever numbers, in whatever files."""
        if self._key or not self:
            return self._key
        return key_of(self.kind or self.rebuilt(_outlined))

    @property
    def places(self) -> tuple[tuple[int, Place], ...]:
        """The places that it names, and where in the text each begins."""
        found, at = [], 0
        for piece in _pieces(self):
            if isinstance(piece, Place):
                found.append((at, piece))
            at += len(str(piece))
        return tuple(found)

    def rebuilt(self, change: Callable[[Field], Field]) -> Message:
        """The message with its fields as `change` gives them, also those of messages in it."""
        if not self.fields:
            return self
        fields = (f.rebuilt(change) if isinstance(f, Message) else change(f) for f in self.fields)
        made = say(self.template, *fields, kind=self.kind)
        made._key = self._key
        return made

    def lowered(self) -> Message:
        """It begins with a small letter, to follow a colon."""
        if not self.fields:
            return known(self[:1].lower() + self[1:], self.kind)
        template, (first, *rest) = self.template, self.fields
        if template.startswith("{}") and isinstance(first, Message):
            first = first.lowered()
        return say(template[0].lower() + template[1:], first, *rest, kind=self.kind)


Field: TypeAlias = Message | str | int | float | Sequence[int] | Place


def say(template: str, *fields: Field, kind: str = "") -> Message:
    """The message of a template with one `{}` for each field; floats want a format, `{:.4g}`."""
    made = Message("".join(map(str, _filled(template, fields))))
    made.template, made.fields, made.kind = template, fields, kind
    return made


def known(text: str, kind: str = "") -> Message:
    """Text of the examiner's own, such as the inputs of a check; never what a worker has sent."""
    made = Message(text)
    made.kind = kind
    return made


def message_of(text: str) -> Message:
    """The message that a text is; a plain text is somebody else's throughout."""
    return text if isinstance(text, Message) else say("{}", text)


def joined(separator: str, parts: Iterable[Field]) -> Message:
    """The parts side by side."""
    fields = tuple(parts)
    return say(separator.join("{}" for _ in fields), *fields)


def key_of(kind: str) -> str:
    """The key of all messages of this kind."""
    return hashlib.sha256(kind.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def restored(text: str, key: str, places: Iterable[Sequence[Any]]) -> Message:
    """A message as it was kept: its text, with the offset, label and line of each place."""
    template, end, fields = "", 0, []
    for start, label, line in places:
        fields.append(Place(label, line))
        template += _escaped(text[end:start]) + "{}"
        end = start + len(str(fields[-1]))
    made = say(template + _escaped(text[end:]), *fields) if fields else known(text)
    made._key = key
    return made


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _pieces(message: Message) -> Iterator[str | Place]:
    yield from _filled(message.template, message.fields) if message.fields else [str(message)]


def _filled(template: str, fields: tuple[Field, ...]) -> Iterator[str | Place]:
    rest = iter(fields)
    for words, slot, form, _ in _parse(template):
        yield words
        if slot is None:
            continue
        field = next(rest)
        if isinstance(field, Message):
            yield from _pieces(field)
        elif isinstance(field, Place):
            yield field
        else:
            yield format(field, form or "") if isinstance(field, int | float) else str(field)


def _outlined(field: Field) -> Field:
    if isinstance(field, Place):
        return known(f"line {field.line}")
    return field if isinstance(field, str) else known("#")
