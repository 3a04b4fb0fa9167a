"""Still pictures of attention, each with a summary in words; it knows no bertviz and no model."""

import base64
import io
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from kit.style import COLOURS, INK, SHADES, SIGNED

MAX_TOLD = 6  # more tokens or heads than this, and the summary tells the strongest alone


def heads(
    shown: Sequence[tuple[str, Tensor]], queries: Sequence[str], keys: Sequence[str]
) -> tuple[bytes, str]:
    """One matrix for each head, side by side; where each query looks most, in words.

    shown: (name, [query, key]) for each head
    """
    columns = min(4, len(shown))
    rows = -(-len(shown) // columns)
    side = 1.2 + 0.17 * max(len(queries), len(keys))
    figure = Figure(figsize=(side * columns, side * rows), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for panel in panels:
        panel.set_axis_off()
    for panel, (name, weights) in zip(figure.axes, shown, strict=False):
        panel.set_axis_on()
        _matrix(panel, weights.numpy(), queries, keys)
        panel.set_title(name, fontsize=9)
        panel.set_xlabel("key", fontsize=8)
        if panel in figure.axes[::columns]:
            panel.set_ylabel("query", fontsize=8)
    told = [f"{name}: {_where_it_looks(weights, queries, keys)}" for name, weights in shown]
    if len(told) > MAX_TOLD:
        told = [*told[:MAX_TOLD], f"and {len(told) - MAX_TOLD} more heads"]
    return _png(figure), "Each query's largest weight. " + ". ".join(told) + "."


def grid(
    weights: dict[int, dict[int, Tensor]], queries: Sequence[str], keys: Sequence[str]
) -> tuple[bytes, str]:
    """All chosen heads as small matrices, layers downwards; the most peaked and the most even.

    weights: layer → head → [query, key]
    """
    layers, columns = list(weights), list(next(iter(weights.values())))
    size = (0.75 * len(columns) + 0.8, 0.75 * len(layers) + 0.7)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(layers), len(columns), squeeze=False)
    for row, layer in enumerate(layers):
        for column, head in enumerate(columns):
            panel = panels[row, column]
            panel.imshow(weights[layer][head].numpy(), cmap=SHADES, vmin=0, vmax=1, aspect="auto")
            panel.set_xticks([])
            panel.set_yticks([])
            if row == 0:
                panel.set_title(f"head {head}", fontsize=8)
            if column == 0:
                panel.set_ylabel(f"layer {layer}", fontsize=8)
    mean = {
        (layer, head): float(matrix.amax(-1).mean())
        for layer, row_of in weights.items()
        for head, matrix in row_of.items()
    }
    peaked, even = max(mean, key=mean.__getitem__), min(mean, key=mean.__getitem__)
    lines = [
        f"{len(layers)} layers and {len(columns)} heads over {len(queries)} queries and "
        f"{len(keys)} keys",
        f"the most peaked is layer {peaked[0]}, head {peaked[1]}: a query's largest weight is "
        f"{mean[peaked]:.2f} on average",
        f"the most even is layer {even[0]}, head {even[1]}: {mean[even]:.2f}; "
        f"the same weight for every key would be {1 / len(keys):.2f}",
    ]
    return _png(figure), "; ".join(lines) + "."


def neuron(
    where: str, query: Tensor, key: Tensor, weights: Tensor, token: int, tokens: Sequence[str]
) -> tuple[bytes, str]:
    """One query: its products with every key, feature by feature, their sums and the weights.

    query: [head_dim]; key: [key, head_dim]; weights: [key]
    """
    products = (query * key).numpy()  # [key, head_dim]
    scores = products.sum(-1) / len(query) ** 0.5  # [key]
    figure = Figure(figsize=(9, 0.8 + 0.34 * len(tokens)), layout="constrained")
    wide, middle, right = figure.subplots(1, 3, width_ratios=[4, 1, 1])
    reach = float(abs(products).max())
    image = wide.imshow(products, cmap=SIGNED, vmin=-reach, vmax=reach, aspect="auto")
    figure.colorbar(image, ax=wide, fraction=0.03)
    wide.set_yticks(range(len(tokens)), tokens, fontsize=8)
    wide.set_xlabel("feature")
    wide.set_title(f"query “{tokens[token]}” × key, feature by feature", fontsize=9)
    for axes, values, title in ((middle, scores, "score"), (right, weights.numpy(), "weight")):
        axes.barh(range(len(tokens)), values, color=COLOURS[0])
        axes.set_yticks([])
        axes.set_ylim(len(tokens) - 0.5, -0.5)
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_title(title, fontsize=9)
    best = int(weights.argmax())
    busiest = int(abs(products[best]).argmax())
    return _png(figure), (
        f"{where}, query {tokens[token]}: its largest weight is {weights[best]:.2f}, on "
        f"{tokens[best]}, with a score of {scores[best]:.1f}; scores run from {scores.min():.1f} "
        f"to {scores.max():.1f}; feature {busiest} of {len(query)} adds most to that score."
    )


def as_image_tag(png: bytes, alt: str) -> str:
    """An HTML img that carries its own bytes; alt is already escaped."""
    return f'<img alt="{alt}" src="data:image/png;base64,{base64_of(png)}">'


def base64_of(png: bytes) -> str:
    """The bytes as a notebook stores them."""
    return base64.b64encode(png).decode("ascii")


def _matrix(axes: Axes, weights: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> None:
    axes.imshow(weights, cmap=SHADES, vmin=0, vmax=1)
    axes.set_yticks(range(len(queries)), queries, fontsize=7)
    turned = 90 if max(map(len, keys)) > 2 else 0
    axes.set_xticks(range(len(keys)), keys, fontsize=7, rotation=turned)
    axes.tick_params(length=0)


def _where_it_looks(weights: Tensor, queries: Sequence[str], keys: Sequence[str]) -> str:
    """ "flies → time 0.62", for every query, or for the three surest where there are many."""
    largest, places = weights.max(-1)
    order = list(range(len(queries)))
    if len(queries) > MAX_TOLD + 3:
        order = sorted(order, key=lambda query: -round(float(largest[query]), 3))[:3]
    return ", ".join(f"{queries[q]} → {keys[int(places[q])]} {largest[q]:.2f}" for q in order)


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100, metadata={"Software": None})
    return buffer.getvalue()
