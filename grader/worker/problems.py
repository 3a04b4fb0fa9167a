"""Turns what learner code raised into a bounded, printable Problem; trusts no exception object."""

from __future__ import annotations

import dis
import linecache
from collections.abc import Callable
from types import TracebackType
from typing import Any

from .values import printable, type_name

MAX_MESSAGE = 2_000
MAX_FRAMES = 20
MAX_SOURCE = 200
_RAISE = dis.opmap["RAISE_VARARGS"]
_OUT_OF_MEMORY = ("can't allocate memory", "Cannot allocate memory", "std::bad_alloc")

# Says which label a file name has for the learner; None: the file is not the learner's.
LabelOf = Callable[[str], str | None]


def problem(error: BaseException, where: str, label_of: LabelOf) -> dict[str, Any]:
    """What a learner may be told about `error`, as a value tree."""
    last = _last(error.__traceback__)
    return {
        "kind": _kind(error, last, label_of),
        "type": type_name(error),
        "message": message(error),
        "where": where,
        "frames": _syntax_frame(error, label_of) or _frames(error.__traceback__, label_of),
    }


def message(error: BaseException) -> str:
    """The exception's own words, cut and made printable; its `__str__` may itself fail."""
    try:
        text = str(error.msg) if isinstance(error, SyntaxError) else str(error)
        text = str.__getitem__(text, slice(0, MAX_MESSAGE))
    except BaseException:  # a learner's __str__
        return "(its message cannot be printed)"
    # Escapes are longer than what they stand for.
    return printable(text)[:MAX_MESSAGE]


def _kind(error: BaseException, last: TracebackType | None, label_of: LabelOf) -> str:
    if isinstance(error, SystemExit):
        return "exited"
    if isinstance(error, MemoryError):
        return "memory"
    if isinstance(error, ImportError):
        return "import"
    if isinstance(error, RuntimeError | OSError) and _says(error, _OUT_OF_MEMORY):
        return "memory"
    # PyTorch raises NotImplementedError too (an operator lacks a dtype, a module lacks forward):
    # only the learner's own `raise` says that the exercise is not implemented.
    if isinstance(error, NotImplementedError) and last is not None:
        code = last.tb_frame.f_code
        if label_of(code.co_filename) is not None and code.co_code[last.tb_lasti] == _RAISE:
            return "not_implemented"
    return "raised"


def _says(error: BaseException, phrases: tuple[str, ...]) -> bool:
    text = message(error)
    return any(phrase in text for phrase in phrases)


def _last(trace: TracebackType | None) -> TracebackType | None:
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace


def _frames(trace: TracebackType | None, label_of: LabelOf) -> list[dict[str, Any]]:
    """The learner's own frames, outermost first; of very many, the first and the last."""
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        label = label_of(code.co_filename)
        if label is not None:
            frames.append((code.co_filename, label, trace.tb_lineno, code.co_name))
        trace = trace.tb_next
    if len(frames) > MAX_FRAMES:
        frames = frames[: MAX_FRAMES // 2] + frames[-MAX_FRAMES // 2 :]
    return [_frame(*frame) for frame in frames]


def _frame(file: str, label: str, line: int | None, function: str) -> dict[str, Any]:
    source = linecache.getline(file, line or 0).strip()[:MAX_SOURCE]
    return {
        "label": printable(label),
        "line": line or 0,
        "function": printable(function[:MAX_SOURCE]),
        "source": printable(source),
    }


def _syntax_frame(error: BaseException, label_of: LabelOf) -> list[dict[str, Any]]:
    """Code that does not compile has no frame: its place is in the exception."""
    if not isinstance(error, SyntaxError) or type(error.filename) is not str:
        return []
    label = label_of(error.filename)
    line = error.lineno if type(error.lineno) is int else 0
    return [_frame(error.filename, label, line, "<module>")] if label is not None else []
