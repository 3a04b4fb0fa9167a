"""Turns what learner code raised into a bounded, printable Problem; trusts no exception object."""

import ast
import builtins
import difflib
import dis
import itertools
import linecache
from collections.abc import Callable
from types import CodeType, TracebackType
from typing import Any

from .source_lines import MAX_SOURCE, parsed, part_of
from .values import printable

KINDS = ("raised", "not_implemented", "exited", "memory", "import", "late")
MAX_MESSAGE = 2_000
MAX_FRAMES = 20
_MOST_NAMES = 2_000  # among which one that is nearly spelt so is looked for
_NEAR = 0.75  # the least share of letters in common
_RAISE = dis.opmap["RAISE_VARARGS"]
_EXCEPTIONS = [
    kind
    for kind in vars(builtins).values()
    if isinstance(kind, type) and issubclass(kind, BaseException)
]
# Past whatever `__getattribute__` a learner's exception has.
_trace_of = BaseException.__dict__["__traceback__"].__get__
_OUT_OF_MEMORY = ("can't allocate memory", "Cannot allocate memory", "std::bad_alloc")


class RequestOutOfTime(BaseException):
    """Raised in code whose time is over; no Exception, so that few catch it."""


# Says which label a file name has for the learner; None: the file is not the learner's.
LabelOf = Callable[[str], str | None]


def problem(error: BaseException, where: str, label_of: LabelOf) -> dict[str, Any]:
    """What a learner may be told about `error`, as a value tree."""
    trace = _trace_of(error)
    return {
        "kind": _kind(error, trace, label_of),
        "type": _builtin_type(error).__name__,
        "message": message(error) + _nearly(error, trace, label_of),
        "where": where,
        "frames": _syntax_frame(error, label_of) or _frames(error, trace, label_of),
    }


def _builtin_type(error: BaseException) -> type[BaseException]:
    """The exception that Python has for it: a learner's own kind of ValueError is a ValueError."""
    ancestors = type.mro(type(error))
    return next(kind for kind in ancestors if any(kind is known for known in _EXCEPTIONS))


def message(error: BaseException) -> str:
    """The exception's own words, cut and made printable; its `__str__` may itself fail."""
    try:
        text = str(error.msg) if _is(error, SyntaxError) else str(error)  # type: ignore[attr-defined]
        text = str.__getitem__(text, slice(0, MAX_MESSAGE))
    except RequestOutOfTime:
        raise
    except BaseException:  # a learner's __str__
        return "(its message cannot be printed)"
    # Escapes are longer than what they stand for.
    return printable(text)[:MAX_MESSAGE]


def _nearly(error: BaseException, trace: TracebackType | None, label_of: LabelOf) -> str:
    """The name that may be meant, as the end of Python's own report tells it."""
    if type(error) not in (NameError, AttributeError) or trace is None:
        return ""
    name = error.name  # type: ignore[attr-defined]
    try:
        is_global = type(error) is NameError
        there = _at_hand(trace, label_of) if is_global else dir(error.obj)  # type: ignore[attr-defined]
    except RequestOutOfTime:
        raise
    except BaseException:  # a learner's __dir__
        return ""
    texts = (each for each in there[:_MOST_NAMES] if type(each) is str)
    names = [each for each in texts if each[:1] not in ("", "_")]
    if type(name) is not str or name in names:
        return ""
    near = difflib.get_close_matches(name[:MAX_SOURCE], names, 1, _NEAR)
    return f". Did you mean: {printable(near[0])!r}?" if near else ""


def _at_hand(trace: TracebackType, label_of: LabelOf) -> list[str]:
    """The names that the line which raised could use, if it is the learner's."""
    while trace.tb_next is not None:
        trace = trace.tb_next
    frame = trace.tb_frame
    if label_of(frame.f_code.co_filename) is None:
        return []
    return [*frame.f_locals, *frame.f_globals, *vars(builtins)]


def _kind(error: BaseException, trace: TracebackType | None, label_of: LabelOf) -> str:
    if _is(error, SystemExit):
        return "exited"
    if _is(error, RequestOutOfTime):
        return "late"
    if _is(error, MemoryError):
        return "memory"
    if _is(error, ImportError):
        return "import"
    text = message(error) if _is(error, RuntimeError, OSError) else ""
    if any(phrase in text for phrase in _OUT_OF_MEMORY):
        return "memory"
    # PyTorch raises NotImplementedError too (an operator lacks a dtype, a module lacks forward):
    # only the learner's own `raise` says that the exercise is not implemented.
    if _is(error, NotImplementedError) and trace is not None:
        while trace.tb_next is not None:
            trace = trace.tb_next
        code = trace.tb_frame.f_code
        if label_of(code.co_filename) is not None and code.co_code[trace.tb_lasti] == _RAISE:
            return "not_implemented"
    return "raised"


def _is(error: BaseException, *kinds: type[BaseException]) -> bool:
    """As isinstance, which would ask the object itself for its `__class__`."""
    return issubclass(type(error), kinds)


def line_at(code: CodeType, instruction: int) -> int:
    """The line of an instruction; a jump back to a loop has none, and what is before it has."""
    before = [
        line for line, *_ in itertools.islice(code.co_positions(), instruction // 2 + 1) if line
    ]
    return before[-1] if before else code.co_firstlineno


def loop_around(file: str, line: int) -> int:
    """The first line of the innermost loop that this line of a file stands in, else the line."""
    tree = parsed(file)
    nodes = () if tree is None else ast.walk(tree)
    loops = (node for node in nodes if isinstance(node, ast.For | ast.While))
    around = [node.lineno for node in loops if node.lineno <= line <= (node.end_lineno or 0)]
    return max(around, default=line)


def _frames(
    error: BaseException, trace: TracebackType | None, label_of: LabelOf
) -> list[dict[str, Any]]:
    """The learner's own frames, outermost first; of very many, the first and the last.

    Where time was over, the innermost is at its loop; where calls did not end, it is the call that
    came back to where one was already.
    """
    frames = []
    while trace is not None:
        code = trace.tb_frame.f_code
        label = label_of(code.co_filename)
        if label is not None:
            part = _part(code, trace.tb_lasti)
            line = trace.tb_lineno or line_at(code, trace.tb_lasti)
            frames.append((code.co_filename, label, line, code.co_name, part))
        trace = trace.tb_next
    if _is(error, RecursionError):
        frames = frames[: next((n for n, each in enumerate(frames) if each in frames[:n]), None)]
    if frames and _is(error, RequestOutOfTime):
        file, label, line, name, _ = frames[-1]
        frames[-1] = (file, label, loop_around(file, line or 0), name, "")
    if len(frames) > MAX_FRAMES:
        frames = frames[: MAX_FRAMES // 2] + frames[-MAX_FRAMES // 2 :]
    return [_frame(*frame) for frame in frames]


def _part(code: CodeType, instruction: int) -> str:
    """The part of its line that an instruction comes of, if it is of one line."""
    positions = next(itertools.islice(code.co_positions(), instruction // 2, None), None)
    return part_of(linecache.getlines(code.co_filename), *(positions or (None,) * 4))


def _frame(
    file: str, label: str, line: int | None, function: str, part: str = ""
) -> dict[str, Any]:
    source = linecache.getline(file, line or 0).strip()[:MAX_SOURCE]
    return {
        "part": printable(part),
        "label": printable(label),
        "line": line or 0,
        "function": printable(function[:MAX_SOURCE]),
        "source": printable(source),
    }


def _syntax_frame(error: BaseException, label_of: LabelOf) -> list[dict[str, Any]]:
    """Code that does not compile has no frame: its place is in the exception."""
    if type(error) not in (SyntaxError, IndentationError, TabError):
        return []
    file, line = getattr(error, "filename", None), getattr(error, "lineno", None)
    label = label_of(file) if type(file) is str else None
    if label is None:
        return []
    return [_frame(str(file), label, line if type(line) is int else 0, "<module>")]
