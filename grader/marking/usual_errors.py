"""Knows Python's and PyTorch's usual complaints, which tell nothing but sizes and names."""

import re
from collections.abc import Set
from itertools import count

# {n} is a number, {s} are sizes, {t} is a type of PyTorch's, {w} is a name, {f} a function's or a
# method's, {o} an operator. Names and numbers have to be known.
_USUAL = """
name '{w}' is not defined
name '{w}' is not defined. Did you mean: '{w}'?
cannot access local variable '{w}' where it is not associated with a value
'{w}' object has no attribute '{w}'
'{w}' object has no attribute '{w}'. Did you mean: '{w}'?
'{w}' object is not callable
'{w}' object is not subscriptable
'{w}' object is not iterable
cannot unpack non-iterable {w} object
argument of type '{w}' is not iterable
the config has no field '{w}'; did you mean '{w}'?
cannot assign module before Module.__init__() call
Module [{w}] is missing the required "forward" function
Boolean value of Tensor with more than one value is ambiguous
{f}(): argument '{w}' (position {n}) must be {w}, not {w}
expected sequence of length {n} at dim {n} (got {n})
einsum(): subscript {w} has size {n} for operand {n} which does not broadcast with previously seen \
size {n}
The expanded size of the tensor ({n}) must match the existing size ({n}) at non-singleton \
dimension {n}.  Target sizes: {s}.  Tensor sizes: {s}
{f}() missing {n} required positional argument: '{w}'
{f}() missing {n} required positional arguments: '{w}' and '{w}'
{f}() takes {n} positional argument but {n} were given
{f}() takes {n} positional arguments but {n} were given
{f}() got an unexpected keyword argument '{w}'
unsupported operand type(s) for {o}: '{w}' and '{w}'
not enough values to unpack (expected {n}, got {n})
too many values to unpack (expected {n})
list index out of range
No module named '{w}'
index out of range in self
index {n} is out of bounds for dimension {n} with size {n}
Dimension out of range (expected to be in range of {s}, but got {n})
The size of tensor a ({n}) must match the size of tensor b ({n}) at non-singleton dimension {n}
mat1 and mat2 shapes cannot be multiplied ({n}x{n} and {n}x{n})
mat1 and mat2 must have the same dtype, but got {t} and {t}
expected m1 and m2 to have the same dtype, but got: {t} != {t}
dot : expected both vectors to have same dtype, but found {t} and {t}
masked_fill_ only supports boolean masks, but got mask with dtype {t}
shape '{s}' is invalid for input of size {n}
Given normalized_shape={s}, expected input with shape {s}, but got input of size{s}
Expected size for first two dimensions of batch2 tensor to be: {s} but got: {s}.
Sizes of tensors must match except in dimension {n}. Expected size {n} but got size {n} for tensor \
number {n} in the list.
view size is not compatible with input tensor's size and stride (at least one dimension spans \
across two contiguous subspaces). Use .reshape(...) instead.
"""
MOST_NUMBERS = 10  # in one message
_NUMBER = "(?:0|-?[1-9][0-9]{0,4})"
_HOLES = {
    "{n}": rf"(?P<n>{_NUMBER})",
    "{s}": rf"(?P<s>\[(?:(?:\*|{_NUMBER})(?:, |(?=\]))){{0,6}}\])",
    "{t}": "(?:c10::)?(?:Bool|Byte|Double|Float|Half|Int|Long|bool|double|float|int|long int|long)",
    "{w}": r"(?P<w>\w{1,60})",
    "{f}": r"(?:(?P<w>\w{1,60})\.)?(?P<w>\w{1,60})",
    "{o}": "[-+*/@]",
}


def _pattern(line: str) -> re.Pattern[str]:
    parts = (_HOLES.get(part) or re.escape(part) for part in re.split(r"(\{[nstwfo]\})", line))
    number = count()  # a group has one name of its own: _0w, _1n, _2w …
    text = re.sub(r"\(\?P<", lambda _: f"(?P<_{next(number)}", "".join(parts))
    return re.compile(text)


_PATTERNS = [_pattern(line) for line in _USUAL.strip().splitlines()]


def is_usual(message: str, names: Set[str], sizes: Set[int]) -> bool:
    """Whether a message is one of these, with no other names and numbers in it, and few of them."""
    holes = _holes(message)
    if holes is None:
        return False
    words = {text for hole, text in holes.items() if hole.endswith("w") and text}
    rest = " ".join(text for hole, text in holes.items() if not hole.endswith("w"))
    numbers = [int(number) for number in re.findall("-?[0-9]+", rest)]
    return words <= names and len(numbers) <= MOST_NUMBERS and set(numbers) <= sizes


def holes_of(message: str) -> list[str]:
    """The names, numbers and sizes that stand in a usual one."""
    return [text for text in (_holes(message) or {}).values() if text]


def _holes(message: str) -> dict[str, str] | None:
    matches = (pattern.fullmatch(message) for pattern in _PATTERNS)
    found = next((match for match in matches if match), None)
    return found.groupdict() if found else None
