"""The course's few kinds of plots; each draws, and returns in words what is to be seen.

No plot needs colour: numbers stand in the cells, hatching marks what is hidden, and lines differ in
marker and dash. Write `print(heatmap(...))`, so that the words stand below the picture.
"""

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from IPython import get_ipython
from IPython.display import Image, display
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from kit.style import COLOURS, INK, MANY, SHADES, SIGNED
from kit.words import folded, number, tell_bars, tell_line, tell_matrix

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 3)), (0, (1, 2)))
HATCHES = ("", "//", "..", "xx", "\\\\", "++", "oo")
MAX_NUMBERED = 12  # more rows or columns than this, and the numbers are left out
PAGE = 11.0  # inches: a wider picture is made smaller by the browser, its numbers too
LETTER = 0.09  # inches: the width of a letter of a label
DPI = 100


def heatmap(
    matrix: Any,
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    title: str = "",
    row_name: str = "query",
    column_name: str = "key",
    decimals: int = 2,
) -> str:
    """One matrix as shaded cells with their numbers; -inf and nan are hatched.

    matrix:  [rows, columns], a tensor, array or nested list; bool is shown as 1 and 0
    returns: its size, extremes and what each row is largest at
    """
    return heatmaps({title: matrix}, rows, columns, row_name, column_name, decimals)


def heatmaps(
    matrices: Mapping[str, Any],
    rows: Sequence[object] | None = None,
    columns: Sequence[object] | None = None,
    row_name: str = "query",
    column_name: str = "key",
    decimals: int = 2,
    same_shades: bool = False,
) -> str:
    """Several matrices side by side, each under its title.

    matrices:    title → [rows, columns]
    same_shades: whether one number has one shade in all of them, so that sizes compare
    returns:     one line for each matrix
    """
    arrays = {title: as_array(matrix) for title, matrix in matrices.items()}
    tall, wide = np.max([array.shape for array in arrays.values()], axis=0)
    cell = 0.72 if max(tall, wide) <= MAX_NUMBERED else 0.2
    width = min(cell * wide, 7, max(PAGE / len(arrays) - 1, 2))
    size = (len(arrays) * (1.5 + width), 1.3 + min(cell * 0.75 * tall, 6, width))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(1, len(arrays), squeeze=False)[0]
    together = np.concatenate([array.ravel() for array in arrays.values()])
    told = []
    for axes, (title, array) in zip(grid, arrays.items(), strict=True):
        row_labels = [str(label) for label in (rows or range(array.shape[0]))]
        column_labels = [str(label) for label in (columns or range(array.shape[1]))]
        _draw_cells(axes, array, together if same_shades else array, decimals)
        _label_cells(axes, row_labels, column_labels, width)
        axes.set(title=title, ylabel=row_name, xlabel=column_name)
        names = (row_name, column_name)
        words = tell_matrix(array, row_labels, column_labels, names, decimals)
        told.append(f"{title}: {words}" if title else words)
    return show(figure, "\n".join(told))


def lines(
    x: Any,
    series: Mapping[str, Any],
    x_name: str,
    y_name: str,
    title: str = "",
    scale: str = "linear",
) -> str:
    """Lines over a common x, told apart by marker and dash.

    x:       [n];  series: name → [n]
    scale:   "linear", "log-x", "log-y" or "log-log"
    returns: where each line starts and ends, its extreme between, and on "log-log" its slope
    """
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    places = as_array(x)
    told = [title] if title else []
    for index, (name, values) in enumerate(series.items()):
        heights = as_array(values)
        axes.plot(places, heights, label=name, **_line_style(index, len(places)))
        told.append(f"{name}: {tell_line(places, heights, x_name, scale)}")
    axes.set(xlabel=x_name, ylabel=y_name, title=title)
    if scale in ("log-x", "log-log"):
        axes.set_xscale("log")
        _label_powers(axes.xaxis, places if len(places) <= MAX_NUMBERED else None)
    if scale in ("log-y", "log-log"):
        axes.set_yscale("log")
        _label_powers(axes.yaxis)
    axes.grid(alpha=0.3)
    _name_series(figure, list(series))
    return show(figure, "\n".join(told))


def bars(
    labels: Sequence[object],
    series: Mapping[str, Any],
    y_name: str,
    title: str = "",
    decimals: int = 2,
    top: float | None = None,
    x_name: str = "",
) -> str:
    """Bars with their numbers on top; several series stand side by side and differ in hatching.

    labels:  one for each group of bars;  series: name → [groups]
    top:     where the axis ends, so that pictures compare; None = a little above the highest bar
    x_name:  what the labels are
    returns: the numbers of each series, or its extremes where there are many
    """
    wide = min(max(4.5, 1.2 + len(labels) * max(0.7, 0.42 * len(series))), 10)
    figure = Figure(figsize=(wide, 3.2), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(series)
    told = [title] if title else []
    for index, (name, values) in enumerate(series.items()):
        heights = as_array(values)
        places = np.arange(len(labels)) + (index - (len(series) - 1) / 2) * width
        drawn = axes.bar(places, heights, width, label=name, **_bar_style(index))
        if len(labels) * len(series) <= 2 * MAX_NUMBERED:
            axes.bar_label(drawn, [number(h, decimals) for h in heights], padding=2, fontsize=8)
        told.append(f"{name}: {tell_bars(labels, heights, decimals)}")
    names = [str(label) for label in labels]
    axes.set_xticks(np.arange(len(names)), names, **_tilt(names, (wide - 1) / len(names)))
    axes.set(xlabel=x_name, ylabel=y_name, title=title)
    axes.margins(y=0.15)
    axes.set_ylim(top=top)
    axes.axhline(0, color=INK, linewidth=0.8)
    _name_series(figure, list(series))
    return show(figure, "\n".join(told))


def show(figure: Figure, summary: str) -> str:
    """Put any figure into the notebook; `summary` is its alternative text, returned in lines."""
    if get_ipython() is not None:
        buffer = io.BytesIO()
        figure.savefig(buffer, dpi=DPI, metadata={"Software": None})
        display(Image(buffer.getvalue(), format="png", alt=summary))
    return folded(summary)


def as_array(values: Any) -> np.ndarray:
    """A tensor, array or nested list, of bools too, as a float array."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    elif isinstance(values, Sequence):
        values = [as_array(value) if hasattr(value, "detach") else value for value in values]
    return np.asarray(values, dtype=float)


def _draw_cells(axes: Axes, array: np.ndarray, range_of: np.ndarray, decimals: int) -> None:
    shown = np.where(np.isfinite(array), array, np.nan)
    finite = range_of[np.isfinite(range_of)]
    reach = np.abs(finite).max() if finite.size else 1.0
    signed = bool((finite < 0).any())
    is_numbered = max(array.shape) <= MAX_NUMBERED
    colours = MANY if not is_numbered else SIGNED if signed else SHADES
    least, most = -reach if signed else 0, reach or 1.0
    shades = colours.with_extremes(bad="none")
    picture = axes.imshow(shown, cmap=shades, aspect="auto", vmin=least, vmax=most)
    if not is_numbered:  # then the shades must say by themselves which is more
        axes.figure.colorbar(picture, ax=axes)
    for (row, column), value in np.ndenumerate(array):
        is_missing = not math.isfinite(value)
        if is_missing:
            style: dict[str, Any] = {"hatch": "////", "fill": False, "edgecolor": INK}
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, linewidth=0, **style))
        if is_numbered:
            red, green, blue, _ = picture.to_rgba(value)
            is_dark = not is_missing and 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
            style = {"ha": "center", "va": "center", "fontsize": 9}
            backing = {"facecolor": INK, "edgecolor": "none", "pad": 1} if is_missing else None
            colour = "white" if is_dark or is_missing else "black"
            axes.text(column, row, number(value, decimals), color=colour, bbox=backing, **style)


def _label_cells(axes: Axes, rows: list[str], columns: list[str], width: float) -> None:
    row_step, column_step = math.ceil(len(rows) / 16), math.ceil(len(columns) / 16)
    axes.set_yticks(range(0, len(rows), row_step), rows[::row_step])
    places = range(0, len(columns), column_step)
    axes.set_xticks(places, columns[::column_step], **_tilt(columns, width / len(places)))
    axes.tick_params(length=0)


def _label_powers(axis: Axis, places: np.ndarray | None = None) -> None:
    """Plain numbers on a logarithmic axis: at the given places, or few enough not to collide."""
    axis.set_major_locator(
        LogLocator(subs=(1, 2, 5)) if places is None else FixedLocator(list(places))
    )
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_locator(NullLocator())
    if places is None:
        low, high = axis.get_view_interval()
        if high / low > 1e3:  # many powers of ten: they alone
            axis.set_major_locator(LogLocator())


def _tilt(labels: list[str], room: float) -> dict[str, Any]:
    """Slanted labels where one is wider than its room, in inches."""
    is_wide = LETTER * (max(map(len, labels)) + 1) > room
    return {"rotation": 35, "ha": "right"} if is_wide else {}


def _name_series(figure: Figure, names: list[str]) -> None:
    """Several series are named below the axes, where no line runs through their names."""
    if len(names) > 1:
        entry = 0.9 * LETTER * (max(map(len, names)) + 7)
        columns = max(1, min(len(names), int(figure.get_figwidth() / entry)))
        figure.set_figheight(figure.get_figheight() + 0.25 * math.ceil(len(names) / columns))
        figure.legend(loc="outside lower center", ncols=columns, frameon=False)


def _line_style(index: int, points: int) -> dict[str, Any]:
    return {
        "color": COLOURS[index % len(COLOURS)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[index % len(DASHES)],
        "markevery": max(1, points // 15),
        "markersize": 5,
    }


def _bar_style(index: int) -> dict[str, Any]:
    colour, hatch = COLOURS[index % len(COLOURS)], HATCHES[index % len(HATCHES)]
    return {"color": colour, "hatch": hatch, "edgecolor": "white"}
