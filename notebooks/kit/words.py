"""Says in words what a plot shows, computed from its numbers alone; it draws nothing."""

import math
import textwrap
from collections.abc import Sequence

import numpy as np

ROUNDING = 1e-6
MAX_TOLD = 12  # more rows than this are not told one by one
MAX_WHOLE = 60  # a matrix of whole numbers, and no more of them than this, is told in full
MAX_BARS = 16  # nor more bars than this: a number each is short
WIDE = 80  # letters in a line: JupyterLab breaks a longer one within its words


def tell_matrix(
    array: np.ndarray, rows: list[str], columns: list[str], names: tuple[str, str], decimals: int
) -> str:
    """The size of a matrix, its extremes, what is hidden; whole numbers, or each row's largest."""
    size = f"{array.shape[0]} × {array.shape[1]} ({' × '.join(names)})"
    if set(np.unique(array)) <= {0.0, 1.0}:
        ones = [f"{row}: {_chosen(columns, array[i] == 1)}" for i, row in enumerate(rows)]
        return _unless_long(f"{size}, {array.sum():.0f} of {array.size} are 1", "1 at", ones)
    finite = array[np.isfinite(array)]
    if not finite.size:
        return f"{size}, no number is finite"
    low, high = number(finite.min(), decimals), number(finite.max(), decimals)
    told = [f"{size}, from {low} to {high}"]
    for what, found in (("hidden (-∞)", np.isneginf(array)), ("nan", np.isnan(array))):
        told += [f"{found.sum()} {what}"] if found.any() else []
    told += _sums(array, names) if finite.size == array.size and finite.min() >= 0 else []
    if finite.size == array.size <= MAX_WHOLE and (array == array.round()).all():
        whole = [f"{row}: {' '.join(number(n, 0) for n in array[i])}" for i, row in enumerate(rows)]
        return _unless_long(", ".join(told), "row by row", whole)
    best = [f"{row}: {_largest(array[i], columns)}" for i, row in enumerate(rows)]
    return _unless_long(", ".join(told), "largest in its row", best)


def tell_line(x: np.ndarray, y: np.ndarray, x_name: str, scale: str) -> str:
    """Where a line starts and ends, its extreme between, and on "log-log" its slope."""
    seen = np.flatnonzero(np.isfinite(y))
    if not seen.size:
        return "no number is finite"
    ends = seen[[0, -1]]
    told = f"from {number(y[ends[0]])} at {x_name} {number(x[ends[0]])} "
    told += f"to {number(y[ends[1]])} at {number(x[ends[1]])}"
    reach = np.nanmax(y[seen]) - np.nanmin(y[seen])
    for name, sign in (("highest", 1), ("lowest", -1)):
        place = seen[_first_of(sign * y[seen])]
        if abs(y[place] - y[ends]).min() > 0.02 * reach:
            told += f", {name} {number(y[place])} at {number(x[place])}"
    if scale == "log-log" and min(x[seen].min(), y[seen].min()) > 0:
        slope = np.polyfit(np.log(x[seen]), np.log(y[seen]), 1)[0]
        told += f"; slope on these axes {number(slope, 2)}"
    return told


def tell_bars(labels: Sequence[object], heights: np.ndarray, decimals: int) -> str:
    """The numbers of all bars, or the extremes where there are many."""
    bars = [f"{label} = {number(heights[i], decimals)}" for i, label in enumerate(labels)]
    if len(bars) <= MAX_BARS:
        return ", ".join(bars)
    most, least = (bars[_first_of(sign * heights)] for sign in (1, -1))
    return f"largest {most}, smallest {least}"


def folded(text: str) -> str:
    """The same lines, none longer than what a page shows in one."""
    wrapper = textwrap.TextWrapper(WIDE, break_long_words=False, break_on_hyphens=False)
    return "\n".join("\n".join(wrapper.wrap(line)) for line in text.split("\n"))


def _first_of(heights: np.ndarray) -> int:
    """The place of the largest; the first one where several are equal but for rounding."""
    slack = 1e-4 * (np.nanmax(heights) - np.nanmin(heights)) + ROUNDING * np.nanmax(np.abs(heights))
    return int(np.flatnonzero(heights >= np.nanmax(heights) - slack)[0])


def number(value: float, decimals: int | None = None) -> str:
    """Short and the same on every machine: `decimals` places, or three digits that matter."""
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "-∞" if value < 0 else "∞"
    if abs(value - round(value)) <= ROUNDING * abs(value):
        value = round(value)  # 0.9999999 and 1 are one number, and are written alike
    if decimals is None or abs(value) >= 1000:
        return f"{value:,.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
    if float(value).is_integer():
        return f"{value:,.0f}"
    fixed = f"{value:.{decimals}f}"
    return fixed if float(fixed) else fixed.removeprefix("-")


def _sums(array: np.ndarray, names: tuple[str, str]) -> list[str]:
    axes = (("row", names[0], 1), ("column", names[1], 0))
    ones = [f"{what} ({name})" for what, name, axis in axes if _is_one(array.sum(axis))]
    return [f"each {' and each '.join(ones)} sums to 1"] if ones else []


def _is_one(sums: np.ndarray) -> bool:
    return bool(np.allclose(sums, 1, atol=1e-4))


def _largest(line: np.ndarray, columns: list[str]) -> str:
    if not np.isfinite(line).any():
        return "none"
    return _chosen(columns, np.isclose(line, np.nanmax(line), rtol=1e-4, atol=1e-6))


def _chosen(names: list[str], chosen: np.ndarray) -> str:
    found = [name for name, is_chosen in zip(names, chosen, strict=True) if is_chosen]
    return "all" if len(found) == len(names) else ", ".join(found) or "none"


def _unless_long(start: str, what: str, rows: list[str]) -> str:
    return start if len(rows) > MAX_TOLD else f"{start}; {what}: {'; '.join(rows)}"
