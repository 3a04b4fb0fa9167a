"""Numbers and colours of the small heat maps under a failed check; templates/mark.html draws."""

import math
from dataclasses import dataclass

from ..candidate.records import Picture

Grid = list[list[float]]


@dataclass(frozen=True)
class HeatCell:
    """A number as it is shown, and the name of its colour."""

    text: str
    colour: str


@dataclass(frozen=True)
class HeatMap:
    """Three tables of one shape, the names of their rows and columns, and what they show."""

    grids: tuple[tuple[str, list[list[HeatCell]]], ...]
    axes: tuple[str, str]
    rows: range  # empty where there is one row without a name
    columns: range
    sentence: str


def heat_map(picture: Picture) -> HeatMap:
    """Expected, the learner's, and what is between them."""
    expected, got = (
        [[float(text) for text in row] for row in rows] for rows in (picture.expected, picture.got)
    )
    both = [*expected, *got]
    gaps = [
        [b - a if math.isfinite(a) or math.isfinite(b) else 0.0 for a, b in zip(*rows, strict=True)]
        for rows in zip(expected, got, strict=True)
    ]
    signed = any(number < 0 for row in both for number in row)
    grids = (
        ("expected", _cells(expected, _largest(both), signed)),
        ("yours", _cells(got, _largest(both), signed)),
        ("yours − expected", _cells(gaps, _largest(gaps), signed=True)),
    )
    top, left = picture.starts
    rows = range(top, top + len(expected)) if picture.axes[0] else range(0)
    columns = range(left, left + len(expected[0]))
    return HeatMap(grids, picture.axes, rows, columns, _sentence(picture, gaps))


def _largest(rows: Grid) -> float:
    return max((abs(n) for row in rows for n in row if math.isfinite(n)), default=0.0)


def _cells(rows: Grid, largest: float, signed: bool) -> list[list[HeatCell]]:
    whole = all(math.isfinite(n) and n == int(n) for row in rows for n in row)  # ids, perhaps
    return [
        [
            HeatCell(_whole(n) if whole else _short(n, largest), _colour(n, largest, signed))
            for n in row
        ]
        for row in rows
    ]


def _whole(number: float) -> str:
    return f"{number:.0f}".replace("-", "−")


def _short(number: float, largest: float) -> str:
    """Few digits, as many for all numbers of a table."""
    if not math.isfinite(number):
        return f"{number}".replace("-", "−").replace("inf", "∞")
    if number == int(number) and abs(number) < 1e5:
        return _whole(number)
    if largest >= 1e5 or largest < 5e-3:
        text = f"{number:.0e}".replace("e-0", "e-").replace("e+0", "e")
    else:
        text = f"{number:z.{2 if largest < 10 else 1 if largest < 1000 else 0}f}"
        text = text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text
    return text.replace("-", "−")


def _colour(number: float, largest: float, signed: bool) -> str:
    """v0 to v6 for shares of the largest; u1 to u3 above zero and n1 to n3 below it."""
    if not math.isfinite(number):
        return "odd"
    share = abs(number) / largest if largest else 0.0
    if not signed:
        return f"v{min(6, math.floor(share * 6.999))}"
    level = math.ceil(share * 3 - 0.02)
    return f"{'n' if number < 0 else 'u'}{level}" if level > 0 else "v0"


def _sentence(picture: Picture, gaps: Grid) -> str:
    """What is seen: which part this is, how much of all differs, and most where."""
    rows, columns = picture.axes
    axes = f"rows are {rows}, columns {columns}" if rows not in ("", "row") else ""
    drawn = len(gaps) * len(gaps[0])
    cut = f"{drawn} of {picture.total} numbers are drawn" if drawn < picture.total else ""
    shown = "; ".join(filter(None, [f"shown is {picture.part}" if picture.part else "", axes, cut]))
    shown = f"{shown[:1].upper()}{shown[1:]}. " if shown else ""
    sizes = [[abs(gap) if math.isfinite(gap) else math.inf for gap in row] for row in gaps]
    most = max(map(max, sizes))
    i, j = next((i, j) for i, row in enumerate(sizes) for j, n in enumerate(row) if n == most)
    often = sum(row.count(most) for row in sizes) > 1
    top, left = picture.starts
    where = place(columns, left + j)
    where = f"{place(rows, top + i)} and {where}" if rows else where
    # Four digits, or as many as tell the two numbers apart.
    both = picture.expected[i][j], picture.got[i][j]
    short = [f"{float(each):.4g}" for each in both]
    is_id = all(each.lstrip("-").isdecimal() for each in both)
    expected, got = short if short[0] != short[1] and not is_id else both
    return (
        f"{shown}{picture.wrong} of {picture.total} numbers differ, "
        f"{'for example' if often else 'here most'} at {where}: "
        f"{expected} was expected, yours is {got}."
    )


def place(axis: str, index: int) -> str:
    """An index along an axis in words."""
    return f"{axis}, index {index}" if axis.startswith("axis ") else f"{axis} {index}"
