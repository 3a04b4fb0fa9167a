"""Shows what a waiting cell will show: what is stored with it in the saved notebook, greyed.

It reads the learner's own notebook and nothing else, so that nothing is shown that is not in there.
"""

from collections.abc import Mapping
from contextlib import suppress
from html import escape
from typing import Any

from .this_notebook import SavedCell, find_cell, joined, saved_cells

MARK = "course-goal"  # in the metadata of an output that is a goal already
MAX_SIGNS = 5_000_000
TITLE = "What you should see"
_STYLE = "border-left:.3rem dashed #777;padding:.2rem .9rem;opacity:.75;filter:grayscale(1)"
_KINDS = ("text/html", "image/png", "image/jpeg", "image/svg+xml", "text/plain")


def show(exercise: str, source: str, cell_id: str | None) -> None:
    """Display the goal of the cell that waits for an exercise, where the notebook holds one."""
    with suppress(OSError, ValueError, TypeError, AttributeError):  # a notebook that is none
        cell = find_cell(saved_cells(source, cell_id), source, cell_id)
        shown = goal(exercise, cell) if cell is not None else None
        if shown is not None:
            from IPython.display import display

            display(shown, raw=True, metadata={MARK: True})


def goal(exercise: str, cell: SavedCell) -> dict[str, str] | None:
    """What a saved cell shows, as HTML and as text; None where it holds nothing to aim at."""
    outputs = cell.get("outputs", [])
    for output in outputs:  # it waited before, and was saved
        if output.get("metadata", {}).get(MARK):
            return {kind: joined(text) for kind, text in output.get("data", {}).items()} or None
    parts = [part for output in outputs if (part := _part(output)) is not None]
    if not parts or len(parts) < len(outputs) or sum(len(html) for html, _ in parts) > MAX_SIGNS:
        return None
    title = f"{TITLE} when {exercise} is written"
    inner = "".join(html for html, _ in parts)
    if cell.get("metadata", {}).get("jupyter", {}).get("outputs_hidden"):  # a guess comes first
        inner = f"<details><summary>{title} (guess first)</summary>{inner}</details>"
    else:
        inner = f"<p><b>{title}:</b></p>{inner}"
    html = f'<div role="group" aria-label="{TITLE}" style="{_STYLE}">{inner}</div>'
    said = (text.rstrip("\n") for _, text in parts if text.strip())
    return {"text/html": f" \n{html}", "text/plain": "\n".join([f"{title}:", *said])}


def _part(output: Mapping[str, Any]) -> tuple[str, str] | None:
    """One output as HTML and as text; None for an error, and for what a waiting cell printed."""
    if output.get("output_type") == "stream":
        text = joined(output.get("text", ""))
        return None if "This cell waits for " in text else (_pre(text), text)
    data: Mapping[str, Any] = output.get("data", {})
    kind = next((each for each in _KINDS if each in data), None)
    if kind is None:
        return None
    text, content = joined(data.get("text/plain", "")), joined(data[kind])
    if kind.startswith("image/") and kind != "image/svg+xml":
        alt = "a picture" if text.startswith("<") else text
        source = f"data:{kind};base64,{content.strip()}"
        return f'<img style="max-width:100%" alt="{escape(alt)}" src="{source}">', ""
    return (_pre(text), text) if kind == "text/plain" else (content, text)


def _pre(text: str) -> str:
    plain = "white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere;font-family:monospace"
    return f'<pre style="{plain};background:none;color:inherit">{escape(text)}</pre>'
