"""Where another kind of thing comes back than right code gives; knows no exercise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from torch import Tensor

from ...worker.trail import RETURN
from ...worker.values import Opaque
from .departed import Departed
from .known import Known
from .recording import Recording


def wrong_kind(mine: Recording, right: Sequence[Any], known: Known | None) -> Departed | None:
    """The line that gives it back, where no other line can be to blame; None else."""
    ends = (index for index, event in enumerate(mine.events) if mine.is_answer(event))
    index = next(ends, None)
    if index is None or not right:
        return None
    if not is_other_kind(mine.events[index].writes.get(RETURN), right[0]):
        return None
    index = _inmost(mine, index)
    if not _is_to_blame(mine, index, known):
        return None
    is_sure = not mine.statements[mine.events[index].statement].reads
    return Departed(mine, index, None, "kind", is_sure)


def handed_back(mine: Recording) -> Departed | None:
    """The line that gives back an argument of ids, a mask or None as it came in."""
    ends = (index for index, event in enumerate(mine.events) if mine.is_answer(event))
    index = next(ends, None)
    if index is None:
        return None
    event = mine.events[index]
    name = mine.statements[event.statement].source.removeprefix("return ").partition("#")[0].strip()
    before = [each for each in mine.events[:index] if each.frame == event.frame]
    makers = [each for each in before if name in each.writes]
    statements = [mine.statements[each.statement] for each in before]
    value = event.writes.get(RETURN)
    is_number = isinstance(value, Tensor) and value.is_floating_point()
    is_turn = any(each.body and not each.is_loop for each in statements)
    if is_number or is_turn or [each.kind for each in makers] != ["call"]:
        return None
    return Departed(mine, index, None, "kind", True)


def is_other_kind(got: Any, wanted: Any) -> bool:
    """Whether it is of another type, or a part of it."""
    if isinstance(wanted, Tensor) or isinstance(got, Tensor):
        return not (isinstance(wanted, Tensor) and isinstance(got, Tensor))
    if type(got) is not type(wanted):
        return True
    if type(wanted) is dict:
        return got.keys() != wanted.keys()
    if type(wanted) is tuple:
        parts = zip(got, wanted, strict=False)
        return len(got) != len(wanted) or any(is_other_kind(*pair) for pair in parts)
    return False


def _inmost(mine: Recording, index: int) -> int:
    """Where a helper gave back what is only handed on."""
    event = mine.events[index]
    source = mine.statements[event.statement].source
    for before in range(index - 1, -1, -1):
        other = mine.events[before]
        if other.kind != "return" or other.caller != event.frame or other.at != event.statement:
            continue
        value, made = event.writes.get(RETURN), other.writes.get(RETURN)
        if type(value) is type(made) and source.startswith("return ") and source.endswith(")"):
            return _inmost(mine, before)
        return index
    return index


def _is_to_blame(mine: Recording, index: int, known: Known | None) -> bool:
    """Whether what is wrong is done in this very line: a mere name may have been wrong before."""
    event = mine.events[index]
    statement = mine.statements[event.statement]
    value = event.writes.get(RETURN)
    given, _, back = statement.source.partition("return")
    if given or not statement.source:
        return value is None and not statement.body and bool(statement.source)
    if value is not None and any(map(partial(_is_handed, value), _read(mine, index))):
        return known is not None and known.has(value) is True
    if not back.strip().isidentifier() or back.strip() in ("None", "self"):
        return True
    if type(value) in (int, float):
        return True  # nobody counts with what should become a text or a list
    return known is not None and known.has(value) is True


def _read(mine: Recording, index: int) -> Iterator[Any]:
    """What the names hold that a line reads."""
    event = mine.events[index]
    held: dict[str, Any] = {}
    for each in mine.events[: index + 1]:
        if each.frame == event.frame:
            held.update(each.writes)
    return (held[name] for name in mine.statements[event.statement].reads if name in held)


def _is_handed(value: Any, other: Any) -> bool:
    """Whether it may be the same that was held before."""
    return isinstance(value, Opaque) and value == other
