"""Says in tensor terms how an answer differs from the expected one; knows no exercise by name."""

from typing import Any

import torch
from torch import Tensor

from ..candidate.message import Choice, Field, Message, aside, joined, known, say
from ..candidate.records import Difference
from ..diagnosis.patterns import Sizes, all_close, close, entries, number, relation, verb
from ..diagnosis.sameness import same_value
from ..diagnosis.tolerances import FUNCTION
from ..worker.values import WIRE_DTYPES, Opaque

MAX_DIFFERENCES = 4
_CONSTANTS = 3  # None, True and False
_KINDS = 8  # plain types that cross the wall


def describe(
    got: Any, expected: Any, sizes: Sizes | None = None, tolerance: float = FUNCTION
) -> Message:
    """The most telling sentences about `got`, for a learner; empty where it is as expected.

    What was expected may be another answer of theirs: nothing in it is taken for ours.
    `sizes` names the sizes in play, {"batch": 2, "key": 5}, so that axes and factors get names.
    """
    if isinstance(expected, Tensor):
        return _tensor_facts(got, expected, sizes or {}, tolerance)
    return _tree_facts(got, expected)


def differences(got: Tensor, expected: Tensor, tolerance: float) -> tuple[Difference, ...]:
    """The first few places where two tensors of one shape differ."""
    if not expected.dim():  # one number: the sentence has said it
        return ()
    wrong = (~close(got, expected, tolerance)).nonzero().tolist()
    found = ((each, expected[tuple(each)], got[tuple(each)]) for each in wrong[:MAX_DIFFERENCES])
    return tuple(
        Difference(say("{}", index), say("{}", number(a, b)), say("{}", number(b, a)))
        for index, a, b in found
    )


def kind_of(value: Any) -> Message:
    """The type of an answer in a learner's words."""
    if value is None:
        return say("None (is there a return?)")
    if isinstance(value, Opaque):
        return say("an object of type {}", value.type_name)
    if isinstance(value, Tensor):
        return say("a tensor of shape {}", list(value.shape))
    kind = Choice(type(value).__name__, _KINDS)
    if isinstance(value, (tuple, list)):
        return say("a {} of {}", kind, len(value))
    return say("{} (type {})", shown(value), kind)


def shown(value: Any, most: int = 80) -> Field:
    """A plain value that learner code gave: a number as it is, all else as text of theirs."""
    if value is None or type(value) is bool:
        return Choice(str(value), _CONSTANTS)
    if type(value) in (int, float):
        return say("{}", value)
    text = repr(value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def _tensor_facts(got: Any, expected: Tensor, sizes: Sizes, tolerance: float) -> Message:
    if not isinstance(got, Tensor):
        inside = known("")
        if isinstance(got, (tuple, list)) and got and isinstance(got[0], Tensor):
            first = got[0]
            if first.shape == expected.shape and all_close(first, expected, tolerance):
                inside = say(" Its first part is the right tensor: return that alone.")
        # Of a tensor that cannot be read, "no tensor" would be news to who wrote it.
        wanted = say("an ordinary tensor" if _is_unread(got) else "a tensor")
        return say("It returns {}; {} was expected.{}", kind_of(got), wanted, inside)
    if got.shape != expected.shape:
        return shape_fact(tuple(got.shape), tuple(expected.shape), sizes)
    if got.dtype != expected.dtype:
        right = all_close(got, expected, tolerance)
        rest = say(" The values themselves are right." if right else "")
        return say("Its dtype is {}; {} was expected.{}", _dtype(got), _dtype(expected), rest)
    if all_close(got, expected, tolerance):
        return known("")
    if not (got.is_floating_point() and expected.is_floating_point()):
        return _discrete_fact(got, expected)
    return relation(got, expected, sizes, tolerance)


def _is_unread(value: Any) -> bool:
    """Whether there is more to it than its type: why it was not read."""
    return isinstance(value, Opaque) and " " in value.type_name


def _dtype(tensor: Tensor) -> Choice:
    return Choice(str(tensor.dtype).removeprefix("torch."), len(WIRE_DTYPES))


def named_shape(shape: tuple[int, ...], sizes: Sizes) -> Message:
    """[2, 5] as "[2 (batch), 5 (key)]" where the sizes have names."""
    names: dict[int, str] = {}
    for name, size in sizes.items():
        names[size] = f"{names[size]}/{name}" if size in names else name
    parts = (
        aside("{} ({})", size, known(names[size])) if size in names else size for size in shape
    )
    return say("[{}]", joined(", ", parts))


def shape_fact(
    got: tuple[int, ...], expected: tuple[int, ...], sizes: Sizes, what: str = ""
) -> Message:
    """What a wrong shape looks like: axes exchanged, missing, added; `what` tells the input."""
    shapes = named_shape(got, sizes), named_shape(expected, sizes)
    message = say("Its shape is {}; {} was expected{}.", *shapes, known(what))
    if len(got) == len(expected) and sorted(got) == sorted(expected):
        moved = [axis for axis in range(len(got)) if got[axis] != expected[axis]]
        return say("{} Axes {} have each other's sizes.", message, joined(" and ", moved))
    if len(got) == len(expected) - 1:
        for axis in range(len(expected)):
            if got == expected[:axis] + expected[axis + 1 :]:
                return say(
                    "{} Axis {} is missing: summed over, squeezed or indexed away?", message, axis
                )
    if len(got) == len(expected) + 1:
        for axis in range(len(got)):
            if got[:axis] + got[axis + 1 :] == expected:
                return say("{} There is an axis {} too many.", message, axis)
    wrong = [axis for axis, (a, b) in enumerate(zip(got, expected, strict=False)) if a != b]
    if len(got) == len(expected) and len(wrong) == 1:
        return say("{} Only axis {} is off.", message, wrong[0])
    return message


def _discrete_fact(got: Tensor, expected: Tensor) -> Message:
    wrong = got != expected
    count = int(wrong.sum())
    if not expected.dim():
        return say("It is {}; {} was expected.", number(got), number(expected))
    if count == got.numel() == 1:
        return say("Its only entry is {}, which is wrong.", number(got.flatten()[0]))
    if got.dtype == torch.bool and count == got.numel():
        return say(
            "Every entry is the opposite of what was expected: True and False are exchanged."
        )
    if got.dim() >= 2 and got.shape[-1] == got.shape[-2] and torch.equal(got.mT, expected):
        return say("It is the expected result with its last two axes exchanged.")
    first = wrong.nonzero()[0].tolist()
    some = entries(count, got)
    return say("{} {}, the first at index {}.", some, verb(count, "differ"), first)


def _tree_facts(got: Any, expected: Any) -> Message:
    if type(got) is not type(expected):
        return say("It returns {}; {} was expected.", kind_of(got), kind_of(expected))
    if isinstance(expected, (list, tuple)):
        if len(got) != len(expected):
            have = say("{} entry" if len(got) == 1 else "{} entries", len(got))
            be = say("{} was" if len(expected) == 1 else "{} were", len(expected))
            return say("It has {}; {} expected.", have, be)
        for index, (a, b) in enumerate(zip(got, expected, strict=True)):
            if isinstance(a, Tensor) or isinstance(b, Tensor):
                if fact := describe(a, b):
                    return say("Entry {}: {}", index, fact.lowered())
            elif not same_value(a, b, FUNCTION):
                return say("Entry {} is {}; {} was expected.", index, shown(a), shown(b))
        return known("")
    if same_value(got, expected, FUNCTION):
        return known("")
    if isinstance(expected, dict):
        missing = [key for key in expected if key not in got]
        extra = [key for key in got if key not in expected]
        if missing or extra:
            keys = shown(list(got), 200), shown(list(expected), 200)
            return say("Its keys are {}; {} were expected.", *keys)
        key = next(key for key in expected if not same_value(got[key], expected[key], FUNCTION))
        return say("{}: {}", str(key), describe(got[key], expected[key]).lowered())
    return say("It is {}; {} was expected.", shown(got), shown(expected))
