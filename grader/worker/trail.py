"""Notes the lines of a learner's that one call runs, and what stood at the one that raised."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any

from torch import Tensor, dtype

from .source_lines import MAX_SOURCE, SourceStatement, statements_by_line
from .values import Opaque, printable, simplify, type_name, without_overrides

MAX_EVENTS = 1_500
MAX_BYTES = 2**18  # of all values together
MAX_NUMBERS = 4_096  # of one tensor
MAX_NAMES = 60  # that one statement reads, or sets
_MOST_SIZES = 8
_MAX_PARTS = 400  # of one list, dict or text
_INNER = ("<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")  # parts of a statement
_PLAIN = (bool, int, float, str, type(None))
_TOLD_APART = (*_PLAIN, list, tuple, dict, dtype)
_settrace, _gettrace = sys.settrace, sys.gettrace


class Trail:
    """A context manager that listens to the learner's frames, and to no others.

    `skip` holds names of functions and classes whose inside is somebody else's matter, and labels.
    """

    def __init__(self, label_of: Callable[[str], str | None], skip: Collection[str] = ()) -> None:
        self.statements: list[dict[str, Any]] = []  # those that ran
        # Where an exception came from that ends it: the statement, what the names held that it
        # reads, and the statements that gave these their shape.
        self.raised: dict[str, Any] | None = None
        self._events = 0
        self._indices: dict[tuple[str, int, bool], int] = {}
        self._label_of = label_of
        self._labels: dict[CodeType, str | None] = {}
        self._skip = frozenset(skip)
        self._frames: dict[FrameType, _Activation] = {}
        self._left = MAX_BYTES
        self._before: Any = None
        self._files: dict[str, dict[int, SourceStatement]] = {}
        self._kept: list[Any] = []  # so that no identity is given twice

    @property
    def is_cut(self) -> bool:
        """Whether so much ran that the rest was not listened to."""
        return self._events >= MAX_EVENTS

    def __enter__(self) -> Trail:
        self._before = _gettrace()
        _settrace(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        _settrace(self._before)

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        code = frame.f_code
        if code.co_name in _INNER or self.is_cut:
            return None
        label = self._label(code)
        if label is None:
            return None
        outer = frame.f_back
        while outer is not None and outer not in self._frames:
            if self._is_skipped(outer.f_code):
                return None
            outer = outer.f_back
        if self._is_skipped(code):
            return None
        if code.co_filename not in self._files:
            self._files[code.co_filename] = statements_by_line(code.co_filename)
        lines = self._files[code.co_filename]
        activation = _Activation(label, lines, code)
        self._frames[frame] = activation
        self._note(activation, frame, code.co_firstlineno, "call")
        return self._listen

    def _label(self, code: CodeType) -> str | None:
        if code not in self._labels:
            self._labels[code] = self._label_of(code.co_filename)
        return self._labels[code]

    def _is_skipped(self, code: CodeType) -> bool:
        """Whether it is a part of what is to be skipped."""
        label = self._label(code)
        if label is None:
            return False
        return label in self._skip or code.co_qualname.partition(".")[0] in self._skip

    def _listen(self, frame: FrameType, event: str, argument: Any) -> Any:
        activation = self._frames.get(frame)
        if activation is None or self.is_cut:
            return None
        if event == "exception":
            activation.raised = True
        elif event == "line":
            statement = activation.lines.get(frame.f_lineno)
            if activation.raised and statement is not None and statement.is_with:
                return self._listen  # on its way out it comes by there once more
            activation.raised = False
            is_same = statement is not None and statement is activation.statement
            if activation.line and not (is_same and statement is not None and statement.is_long):
                self._note(activation, frame, activation.line, "line")
            activation.line, activation.statement = frame.f_lineno, statement
        elif event == "return":
            kind = "raise" if activation.raised else "return"
            self._note(activation, frame, activation.line, kind)
            del self._frames[frame]
        return self._listen

    def _note(self, it: _Activation, frame: FrameType, line: int, kind: str) -> None:
        """What the statement that has just ended has made or changed."""
        self._events += 1
        statement = it.lines.get(line) if kind != "call" else None
        index = self._index(it, line, statement)
        held = dict(_held(frame.f_locals))
        with without_overrides():
            marks = {name: _mark(each) for name, each in held.items()}
        changed = [name for name in held if marks[name] != it.marks.get(name)]
        self._kept.extend(held[name] for name in changed)
        for name in changed:
            if kind != "line" or name not in it.marks or marks[name][1] != it.marks[name][1]:
                it.made.pop(name, None)
            if kind == "line":
                it.made.setdefault(name, index)
        it.marks |= marks
        if kind != "raise":
            self.raised = None
        elif self.raised is None:  # else it passes through the one that called
            reads = [name for name in self.statements[index]["reads"] if name in held]
            self.raised = {
                "statement": index,
                "held": {name: self._told(held[name]) for name in reads},
                "made": {name: it.made[name] for name in reads if name in it.made},
            }

    def _index(self, it: _Activation, line: int, statement: SourceStatement | None) -> int:
        # A call stands in the line of its definition, where a whole statement may stand as well.
        key = it.label, statement.first if statement else line, statement is None
        if key not in self._indices:
            self._indices[key] = len(self.statements)
            self.statements.append(
                {
                    "label": printable(it.label),
                    "line": key[1],
                    "function": printable(it.code.co_qualname)[:MAX_SOURCE],
                    "source": printable(statement.source) if statement else "",
                    "reads": _names(statement.reads) if statement else [],
                    "sets": _names(statement.sets) if statement else [],
                }
            )
        return self._indices[key]

    def _told(self, value: Any) -> Any:
        """A plain copy within the bounds; beyond them only what type it is."""
        if isinstance(value, (str, list, tuple, dict)) and len(value) > _MAX_PARTS:
            return Opaque(type_name(value))
        with without_overrides():
            if isinstance(value, Tensor) and value.numel() > MAX_NUMBERS:
                return Opaque(type_name(value))
            copy = simplify(value, max(self._left, 0))
        self._left -= size_of(copy)
        return copy if self._left > 0 else Opaque(type_name(value))


@dataclass
class _Activation:
    """One call of one of the learner's functions, while it runs."""

    label: str
    lines: dict[int, SourceStatement]
    code: CodeType
    line: int = 0
    statement: SourceStatement | None = None
    marks: dict[str, Any] = field(default_factory=dict)
    made: dict[str, int] = field(default_factory=dict)  # the statements that gave these shapes
    raised: bool = False


def _held(names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Local names, and what `self` holds in plain sight."""
    for name, value in names.items():
        if name != "self":
            yield name, value
            continue
        try:
            attributes = object.__getattribute__(value, "__dict__")
        except AttributeError:
            continue
        for inner, part in list(attributes.items())[:_MAX_PARTS]:
            if _is_shown(part) and not inner.startswith("_"):
                yield f"self.{inner}", part


def _is_shown(part: Any) -> bool:
    """A tensor, a plain value, or another single object: no layer, function or collection."""
    if isinstance(part, (Tensor, *_PLAIN)):
        return True
    return not callable(part) and not isinstance(part, (list, tuple, dict, set, frozenset))


def _mark(value: Any) -> Any:
    """Another one for every change of a tensor, and wherever another thing, or shape, stands."""
    if not issubclass(type(value), Tensor):
        return id(value), _shape(value)
    return id(value), _shape(value), None if value.is_inference() else value._version


def are_sizes(value: Any) -> bool:
    """Whether it is a short row of whole numbers, as a shape is."""
    is_row = isinstance(value, tuple | list) and 0 < len(value) <= _MOST_SIZES
    return is_row and all(type(each) is int for each in value)


def _shape(value: Any) -> Any:
    with suppress(Exception):  # of a lazy parameter, which has none, or whatever a learner's has
        if isinstance(value, Tensor):
            return value.shape, value.dtype
        if are_sizes(value):
            return isinstance(value, list), *value
    return type(value) if type(value) in _TOLD_APART else object


def _names(names: dict[str, None]) -> list[str]:
    return [printable(name) for name in list(names)[:MAX_NAMES]]


def size_of(copy: Any) -> int:
    """What a value counts for; each part of it counts for something."""
    if isinstance(copy, Tensor):
        return 256 + copy.nbytes  # so that their number is bounded too
    if isinstance(copy, str):
        return 8 + len(copy)
    if isinstance(copy, (list, tuple)):
        return 8 + sum(map(size_of, copy))
    if isinstance(copy, dict):
        return 8 + sum(map(size_of, copy.values()))
    return 8
