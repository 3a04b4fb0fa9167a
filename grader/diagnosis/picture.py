"""Cuts the part out of two tensors where they differ first, to be drawn; knows no check."""

from torch import Tensor

from ..candidate.records import Picture
from .patterns import Sizes, close

_ROWS, _COLUMNS = 5, 6  # what fits into a card three times


def picture_of(
    got: Tensor, expected: Tensor, tolerance: float, sizes: Sizes | None = None
) -> Picture | None:
    """The matrix of the last two axes, or a window of it, that holds the first difference.

    Both have one shape. None for a single number, and where the answer holds no real numbers.
    """
    if not expected.dim() or expected.numel() < 2 or got.is_complex():
        return None
    wrong = ~close(got, expected, tolerance)
    got = got.where(wrong, expected)  # what differs by rounding alone is no difference
    first = wrong.nonzero()
    if not len(first):
        return None
    *outer, row, column = (0, *first[0].tolist()) if expected.dim() == 1 else first[0].tolist()
    names = _axis_names(tuple(expected.shape), sizes or {})
    part = ", ".join(_place(name, index) for name, index in zip(names, outer, strict=False))
    grids = [tensor[tuple(outer)].reshape(-1, tensor.shape[-1]) for tensor in (expected, got)]
    height, width = grids[0].shape
    top, left = _start(row, height, _ROWS), _start(column, width, _COLUMNS)
    windows = (grid[top : top + _ROWS, left : left + _COLUMNS].tolist() for grid in grids)
    cuts = [tuple(tuple(map(_text, row)) for row in window) for window in windows]
    rows = names[-2] if expected.dim() > 1 else ""
    count = int(wrong.sum())
    return Picture(part, (rows, names[-1]), (top, left), cuts[0], cuts[1], count, got.numel())


def _place(axis: str, index: int) -> str:
    return f"index {index} of {axis}" if axis.startswith("axis ") else f"{axis} {index}"


def _start(index: int, size: int, most: int) -> int:
    """Where a window of `most` begins so that it holds this index, and begins at 0 if it can."""
    return 0 if index < most else min(index - most // 2, max(size - most, 0))


def _text(number: float | int | bool) -> str:
    return f"{number:.7g}" if isinstance(number, float) else str(int(number))


def _axis_names(shape: tuple[int, ...], sizes: Sizes) -> list[str]:
    """A name of its own for each axis: the one of its size, where that is clear, or its number."""
    plain = ("row", "column") if len(shape) == 2 else [f"axis {axis}" for axis in range(len(shape))]
    names = []
    for axis, size in enumerate(shape):
        known = [name for name, each in sizes.items() if each == size]
        is_clear = len(known) == 1 and shape.count(size) == 1
        names.append(known[0] if is_clear else plain[axis])
    return names
