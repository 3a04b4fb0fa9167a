"""A sentence that knows its parts: our words, numbers, places, others' words; decides nothing.

A template holds our own words, always as a literal in our code. What stands in its slots is a
number, a list of sizes, a place, a choice among our words, another message, or plain text. Plain
text is taken for somebody else's, such as a name or an exception's words: whoever must not repeat
it can leave it out.
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

    def quote(self, text: str) -> Quote:
        """What stands there."""
        return Quote(self.label, self.line, text)


@dataclass(frozen=True)
class Line(Place):
    """The same, named by its number alone."""

    def __str__(self) -> str:
        return str(self.line)


@dataclass(frozen=True)
class Quote(Place):
    """What stands there, as somebody says."""

    text: str = ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Choice:
    """Words of ours; which of them it is, of so many, somebody else has decided."""

    text: str
    among: int

    def __str__(self) -> str:
        return self.text


class Message(str):
    """The text, with the template and the fields that it was made of; equal to the same text.

    One without fields is its own words throughout. Where it becomes part of a plain text, that is
    plain again. `kind` names what is said where the words alone do not. One that `is_let_out` has
    passed the gate and is not changed any more.
    """

    template: str = ""
    fields: tuple[Field, ...] = ()
    kind: str = ""
    is_let_out: bool = False
    _key: str = ""
    _whole: bool = False  # it says nothing where a field of it may not be told
    _between: str | None = None  # what parts its fields, where they are a list

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
        """The message with its fields as `change` gives them, also those of messages in it.

        What `change` gives LEFT_OUT for goes together with the aside, or the entry of a list, in
        which it stands.
        """
        if not self.fields:
            return self
        fields = [f.rebuilt(change) if isinstance(f, Message) else change(f) for f in self.fields]
        if self._whole and any(field is LEFT_OUT for field in fields):
            return NOTHING
        if self._between is not None:
            fields = _apart(self.fields, fields)
            made = joined(self._between, fields) if fields else LEFT_OUT
        else:
            made = say(self.template, *fields, kind=self.kind)
            made._whole = self._whole
        if made is not LEFT_OUT:
            made._key, made.is_let_out = self._key, self.is_let_out
        return made

    def by_its_words(self) -> Message:
        """The same, whose key is that of its words alone."""
        return say(self.template, *self.fields) if self.fields else known(self)

    def let_out(self) -> Message:
        """The same, which no gate changes any more."""
        made = say(self.template, *self.fields, kind=self.kind) if self.fields else known(self)
        made.kind, made._key, made.is_let_out = self.kind, self._key, True
        return made

    def lowered(self) -> Message:
        """It begins with a small letter, to follow a colon."""
        if not self.fields:
            return known(self[:1].lower() + self[1:], self.kind)
        template, (first, *rest) = self.template, self.fields
        if template.startswith("{}") and isinstance(first, Message):
            first = first.lowered()
        return say(template[0].lower() + template[1:], first, *rest, kind=self.kind)


Field: TypeAlias = Message | str | int | float | Sequence[int] | Place | Choice


def say(template: str, *fields: Field, kind: str = "") -> Message:
    """The message of a template with one `{}` for each field; floats want a format, `{:.4g}`."""
    made = Message("".join(map(str, _filled(template, fields))))
    made.template, made.fields, made.kind = template, fields, kind
    return made


def aside(template: str, *fields: Field) -> Message:
    """The same, of which nothing is told where one of its fields may not be."""
    made = say(template, *fields)
    made._whole = True
    return made


def known(text: str, kind: str = "") -> Message:
    """Text of the examiner's own, such as the inputs of a check; never what a worker has sent.

    Nor what is found in that: a number in it is a number, a word in it plain text, and one out of
    few that we know a Choice. `tests/test_known_words.py` lists each call that is no literal.
    """
    made = Message(text)
    made.kind = kind
    return made


def message_of(text: str) -> Message:
    """The message that a text is; a plain text is somebody else's throughout."""
    return text if isinstance(text, Message) else say("{}", text)


def joined(separator: str, parts: Iterable[Field]) -> Message:
    """The parts side by side; those that may not be told leave no gap."""
    fields = tuple(parts)
    made = say(separator.join("{}" for _ in fields), *fields)
    made._between = separator
    return made


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


def _apart(before: Sequence[Field], after: Sequence[Field]) -> list[Field]:
    """The fields that are left; names of which the same part is left stand once."""
    kept: dict[object, Field] = {}
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if new is not LEFT_OUT and new is not NOTHING:
            is_cut = str(new) != str(old)
            kept.setdefault(str(new) if is_cut else index, new)
    return list(kept.values())


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
        elif type(field) is Place:
            yield field
        else:
            yield format(field, form or "") if isinstance(field, int | float) else str(field)


def _outlined(field: Field) -> Field:
    if isinstance(field, Quote | Choice):
        return known(field.text)
    if type(field) is Place:
        return known(f"line {field.line}")
    return field if isinstance(field, str) else known("#")


LEFT_OUT = known("…")  # in the place of what may not be told
NOTHING = known("")
