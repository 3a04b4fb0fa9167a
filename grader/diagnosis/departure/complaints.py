"""Python's and PyTorch's most common complaints in plain words; knows no exercise."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from ...candidate.candidate import Problem
from ...candidate.message import Message, known, say

_Words = Callable[[re.Match[str]], Message | None]


def _ints(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"-?\d+", text)]


def _plain(template: Message) -> _Words:
    return lambda _: template


def _product(match: re.Match[str]) -> Message:
    _, inner, other, _ = (int(part) for part in match.groups())
    return say(
        "A matrix product sums over the last axis of the left side and the first of the right side "
        "(of a layer: its input size), so both have to be equally long. Here they are {} and {}.",
        inner,
        other,
    )


def _batched(match: re.Match[str]) -> Message | None:
    wanted, got = _ints(match[1]), _ints(match[2])
    if len(wanted) != 2 or len(got) != 2:
        return None
    if wanted[0] != got[0]:
        return say(
            "Both sides of @ hold a batch of matrices, but {} and {} of them.", wanted[0], got[0]
        )
    return say(
        "In left @ right, the last axis of left and the second-to-last axis of right have to be "
        "equally long. Here they are {} and {}.",
        wanted[1],
        got[1],
    )


def _broadcast(match: re.Match[str]) -> Message:
    a, b, axis = (int(part) for part in match.groups())
    return say(
        "Two tensors are combined number by number. Their axes are lined up from the last one "
        "backwards, and each pair has to be equally long, or one of the two 1. At axis {} they "
        "are {} and {}.",
        axis,
        a,
        b,
    )


def _expanded(match: re.Match[str]) -> Message:
    return say(
        "Axis by axis, a tensor needs the length that is asked for, or length 1. Asked for: {}. It "
        "has: {}.",
        int(match[1]),
        int(match[2]),
    )


def _invalid_shape(match: re.Match[str]) -> Message:
    wanted, there = _ints(match[1]), int(match[2])
    product = 1
    for size in wanted:
        product *= size if size > 0 else 1
    if -1 in wanted:
        return say("It has {} numbers, which {} does not divide evenly.", there, product)
    return say("The sizes asked for hold {} numbers; the tensor has {}.", product, there)


def _out_of_range(match: re.Match[str]) -> Message:
    return say(
        "It asks for axis {}, and the last one is {}. Has an axis been lost, or not been made yet?",
        int(match[2]),
        int(match[1]),
    )


def _out_of_bounds(match: re.Match[str]) -> Message:
    index, axis, size = (int(part) for part in match.groups())
    return say(
        "Index {} is asked for along axis {}, which is {} long: its last index is {}.",
        index,
        axis,
        size,
        size - 1,
    )


def _unflattened(match: re.Match[str]) -> Message:
    product = math.prod(_ints(match[1]))
    return say("The sizes asked for hold {} numbers; the axis has {}.", product, int(match[2]))


def _plain_object(match: re.Match[str]) -> Message:
    return say(
        "Here it is a plain {}, neither a tensor nor a layer. Is it what you think it is?",
        known(match[1]),
    )


_SIDES = say("The operator cannot combine its two sides. What kind of object stands on each side?")
_NO_INDEX = say(
    "What stands before the square brackets cannot be indexed. Is it what you think it is?"
)
_INDEXED = say(
    "Tensors that index together are lined up like operands: from the last axis backwards, each "
    "pair has to be equally long, or one of the two 1."
)
_WHOLE = say(
    "This works with floats only, and it gets whole numbers or flags. Is it the tensor that you "
    "mean?"
)
_NONE = say(
    "A value is needed here, and it is None. Is it an optional argument that was not given, such "
    "as a mask, or the result of a function without a return?"
)
_TRUTH = say(
    "if, and, or, not need one True or False, and a tensor has many. To ask whether an optional "
    "tensor was given, write `x is None`."
)
_MADE = say(
    "Make a layer once, from its sizes: `layer = Class(sizes)`. Then call it: `layer(x)`. Here the "
    "class itself got what belongs to the call, or arguments that it does not take."
)
_DTYPES = say(
    "A matrix product needs the same dtype on both sides: whole numbers or flags have to become "
    "floats first, in the dtype of the other side."
)
_INDICES = say(
    "An embedding looks up rows by whole numbers, and what it gets is not ids. Does it get "
    "vectors, or does it stand on the wrong side of another layer?"
)
_TABLE = say(
    "A row is looked up that the table does not have: an id, or a position, is too large for it. "
    "Which size was the table made with, and which numbers come in?"
)
_FLOATS = say("A mean is defined for floats, and these are whole numbers or flags.")
_BOOLEAN = say("masked_fill needs a mask of True and False; this one holds numbers.")
_SUPER = say(
    "A module can hold layers and parameters only after super().__init__() has run, as the first "
    "line of its own __init__."
)
_VIEW = say(
    "view needs the numbers to lie in memory in that order; after a transpose they do not. Check "
    "too that the axes that you join stand in the order that you want."
)
_UNSET = say(
    "The name has no value yet when this line runs: it is set on another path, later, or under "
    "another spelling."
)
_INTEGER = say(
    "A size, an index or a count has to be a whole number. A division by / gives a float, even "
    "when nothing remains."
)
_NOT_CALLABLE = say(
    "Parentheses behind a name call it, and this name holds neither a function nor a layer. Has it "
    "been overwritten, or should there be an operator or square brackets?"
)
_NO_TENSOR = say(
    "A tensor is needed here, and another kind of object comes in. Has a layer been made where it "
    "should be called, or are the arguments in another order than the call takes them?"
)
_NO_GRAPH = say(
    "Autograd cannot trace the value on which backward() is called back to any parameter."
)
_ATTRIBUTE = say(
    "The object has no such name. Is it set in __init__, spelt the same in both places, and is the "
    "object what you think it is?"
)
_ARGUMENTS = say("A call and a definition do not agree on the number or the names of arguments.")
_UNPACK = say("The number of names on the left and the number of values on the right differ.")

_COMPLAINTS: tuple[tuple[str, _Words], ...] = (
    (r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)", _product),
    (r"[Ee]xpected size for first two dimensions of batch2 tensor to be: (\[[\d, ]+\]) but got: "
     r"(\[[\d, ]+\])", _batched),
    (r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton "
     r"dimension (\d+)", _broadcast),
    (r"shape '(\[[-\d, ]+\])' is invalid for input of size (\d+)", _invalid_shape),
    (r"Dimension out of range \(expected to be in range of \[-?\d+, (-?\d+)\], but got (-?\d+)\)",
     _out_of_range),
    (r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)", _expanded),
    (r"index (-?\d+) is out of bounds for (?:dimension|axis) (\d+) with size (\d+)",
     _out_of_bounds),
    (r"[Pp]rovided sizes (\[[-\d, ]+\]) don't multiply up to the size of dim \d+ \((\d+)\)",
     _unflattened),
    (r"indexing tensors could not be broadcast", _plain(_INDEXED)),
    (r"not implemented for '(Long|Int|Bool|Byte|Short|Char)'|Expected floating point type",
     _plain(_WHOLE)),
    (r"Boolean value of Tensor with more than one value is ambiguous", _plain(_TRUTH)),
    (r"NoneType", _plain(_NONE)),
    (r"^unsupported operand type", _plain(_SIDES)),
    (r"object is not subscriptable", _plain(_NO_INDEX)),
    (r"'(int|float|bool|str|list|tuple|dict)' object has no attribute", _plain_object),
    (r"before Module\.__init__\(\) call|super\(\)\.__init__\(\) call|has no attribute '_(modules|"
     r"parameters|buffers|backward_hooks|forward_hooks)'", _plain(_SUPER)),
    (r"__init__\(\) (takes|missing|got an unexpected)|(empty|ones|zeros)\(\)(:| received)",
     _plain(_MADE)),
    (r"must be Tensor, not (?!NoneType)\w+", _plain(_NO_TENSOR)),
    (r"have the same dtype|same dtype, but|expected scalar type \w+ but found", _plain(_DTYPES)),
    (r"to have one of the following scalar types: Long, Int", _plain(_INDICES)),
    (r"index out of range in self", _plain(_TABLE)),
    (r"could not infer output dtype|mean\(\): input dtype", _plain(_FLOATS)),
    (r"only supports boolean masks", _plain(_BOOLEAN)),
    (r"view size is not compatible", _plain(_VIEW)),
    (r"is not associated with a value|^name '\w+' is not defined", _plain(_UNSET)),
    (r"cannot be interpreted as an integer|slice indices must be integers|"
     r"must be (tuple of ints|int), not float|type must be tuple of ints,but got float|"
     r"only integer tensors", _plain(_INTEGER)),
    (r"object is not callable", _plain(_NOT_CALLABLE)),
    (r"does not require grad and does not have a grad_fn", _plain(_NO_GRAPH)),
    (r"has no attribute '\w+'", _plain(_ATTRIBUTE)),
    (r"missing \d+ required positional|positional arguments? but|unexpected keyword|"
     r"received an invalid combination of arguments", _plain(_ARGUMENTS)),
    (r"values to unpack", _plain(_UNPACK)),
)  # fmt: skip


def in_words(problem: Problem) -> Message | None:
    """What the complaint means; None where it is none of these."""
    text = problem.message if problem.words is None else str(problem.words)
    for pattern, words in _COMPLAINTS:
        if match := re.search(pattern, text[:500]):
            return words(match)
    return None
