"""What stood at the line that raised: shapes by name, and the complaint in plain words."""

import inspect
import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from torch import Tensor

from ...candidate.failures import Problem
from ...candidate.message import Choice, Field, Line, Message, Place, aside, joined, known, say
from ...worker.trail import are_sizes
from ...worker.values import WIRE_DTYPES, Config, Opaque
from .complaints import in_words
from .recording import Raised, RecordedStatement, Recording

_MOST_NAMES = 8
_MOST_CALLERS = 3
_CONFIG = "ConfigObject"  # what a worker makes of a Config
_MOST_SHOWN = 60  # characters of a text
_CONSTANTS, _KINDS = 3, 3  # None, True, False; tuples, lists, dicts
_FIELDS = {
    "hidden_size": "hidden",
    "num_attention_heads": "heads",
    "intermediate_size": "intermediate",
    "vocab_size": "vocab",
    "num_labels": "num_labels",
}


def exception_in(recording: Recording) -> Raised | None:
    """The innermost line of the learner's that an exception came through; None without one."""
    problem, raised = recording.problem, recording.raised
    if problem is None or not problem.frames:
        return raised
    is_endless = problem.type == "RecursionError" or (raised is None and recording.is_cut)
    return by_traceback(problem) if is_endless else raised


def by_traceback(problem: Problem) -> Raised:
    """The line alone, of a problem that has one, where no recording reaches it."""
    frame = problem.frames[-1]
    place = Place(frame.label, frame.line)
    statement = RecordedStatement(place, frame.function, frame.source, (), ())
    return Raised(statement, {}, {}, problem)


def what_raised(one: Raised, judges: bool) -> Message:
    """The line, and from where it was called; of who judges others, that one of them is meant."""
    line, quote = one.statement.line, one.statement.quote
    if judges:
        return say("Line {} raises an error for at least one implementation: {}", line, quote)
    parts: list[Field] = [say("Line {} raised it: {}", line, quote)]
    frames = one.problem.frames[-2::-1][:_MOST_CALLERS]
    if any(each.line != line.line for each in frames):
        callers = joined(", in turn from line ", [Line(each.label, each.line) for each in frames])
        parts.append(aside("It was called from line {}.", callers))
    return joined("\n", parts)


def what_stood(one: Raised, sizes: Mapping[str, int]) -> tuple[Message, ...]:
    """What the names of the line held; `sizes` are those of axes, by name."""
    shown = {
        name: _shown(one.held[name], sizes) for name in one.statement.reads if name in one.held
    }
    stood = [
        aside("{} {}{}", name, value, _made_in(one, name))
        for name, value in shown.items()
        if value is not None
    ]
    return tuple(stood[:_MOST_NAMES])


def what_it_means(one: Raised) -> Message:
    """The exception in plain words; nothing where the learner's own code raised it on purpose."""
    is_own = one.statement.source.startswith("raise ")
    return known("") if is_own else in_words(one.problem) or known("")


def part_that_raised(one: Raised) -> str:
    """The part of the line, where it is less than all of it."""
    frame = one.problem.frames[-1] if one.problem.frames else None
    place = one.statement.place
    if frame is None or (frame.label, frame.line) != (place.label, place.line):
        return ""
    return frame.part if frame.part != one.statement.source else ""


def origins(one: Raised) -> dict[str, int]:
    """The other lines in which tensors and shapes that stood there were made, by name."""
    found = {}
    for name in one.statement.reads:
        maker, value = one.shaped.get(name), one.held.get(name)
        is_made = isinstance(value, Tensor) or are_sizes(value)
        if is_made and maker is not None and maker.place != one.statement.place:
            found[name] = maker.place.line
    return found


def _made_in(one: Raised, name: str) -> Message:
    line = origins(one).get(name)
    if line is None:
        return known("")
    return aside(" (line {})", one.shaped[name].line)


def _shown(value: Any, sizes: Mapping[str, int]) -> Message | None:
    if isinstance(value, Tensor):
        dtype = "" if value.is_floating_point() else f" {str(value.dtype)[6:]}"
        axes = [_axis(size, sizes) for size in value.shape]
        return say(
            "[{}]{}", joined(", ", axes) if axes else known(""), Choice(dtype, len(WIRE_DTYPES))
        )
    if value is None or type(value) is bool:
        return say("= {}", Choice(str(value), _CONSTANTS))
    if type(value) is int:
        return say("= {}", value)
    if isinstance(value, Opaque):
        if value.type_name == _CONFIG:
            return None  # every module has one
        return say("({})", value.type_name[:_MOST_SHOWN])
    if type(value) in (str, float):
        return say("= {}", repr(value)[:_MOST_SHOWN])
    if are_sizes(value):
        return say("= ({})", joined(", ", [say("{}", size) for size in value]))
    if type(value) in (list, tuple, dict):
        return say("a {} of {}", Choice(type(value).__name__, _KINDS), len(value))
    return None


def _axis(size: int, sizes: Mapping[str, int]) -> Message:
    """A size, with the name of the only axis, or the only product of two, that is so long."""
    names = [name for name, each in sizes.items() if each == size]
    if not names and size > 1:
        names = [
            f"{one} × {other}"
            for one, other in combinations(sorted(sizes), 2)
            if sizes[one] * sizes[other] == size and 1 not in (sizes[one], sizes[other])
        ]
    return aside("{} {}", known(names[0]), size) if len(names) == 1 else say("{}", size)


def sizes_of(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> dict[str, int]:
    """Sizes by the names that the docstring gives to axes: `query: [batch, query, d_k]`."""
    text = inspect.getdoc(function) or ""
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return {}
    found: dict[str, int] = {}
    clash: set[str] = set()
    for name, value in given.items():
        shape = re.search(rf"^{re.escape(name)}:\s+.*?\[([\w, ]+)\]", text, re.M)
        if shape is None or not isinstance(value, Tensor):
            continue
        axes = [axis.strip() for axis in shape[1].split(",")]
        if len(axes) != value.dim():
            continue
        for axis, size in zip(axes, value.shape, strict=True):
            if axis.isidentifier():
                clash |= {axis} if found.setdefault(axis, size) != size else set()
    return {name: size for name, size in found.items() if name not in clash}


def are_different(sizes: Mapping[str, int]) -> bool:
    """Whether a size tells its axis."""
    return len(set(sizes.values())) == len(sizes)


def sizes_in(arguments: Sequence[Any]) -> dict[str, int]:
    """Sizes that a config asks for."""
    found: dict[str, int] = {}
    for config in arguments:
        if isinstance(config, Config):
            for name, short in _FIELDS.items():
                if type(config.fields.get(name)) is int:
                    found[short] = config.fields[name]
            if found.get("hidden") and found.get("heads"):
                found["head_dim"] = math.floor(found["hidden"] / found["heads"])
    return found
