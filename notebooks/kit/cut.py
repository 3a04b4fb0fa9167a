"""A text to type and the pieces that it is cut into; it cuts nothing itself.

`Cut(pieces_of, vocab, "time flies")` shows a field where there is a browser, and words elsewhere.
"""

import html
from collections.abc import Callable, Mapping
from typing import Any

from kit.style import COLOURS, INK

LONGEST = 60  # pieces that are shown
BOX = f"display:inline-block;border:1px solid {INK};border-radius:4px;padding:1px 6px;margin:2px 0"
STARTS = f"{BOX};margin-left:8px"  # a piece that starts a word stands apart
UNKNOWN = f"{STARTS};border:2px dashed {COLOURS[1]}"


class Cut:
    """One text at a time, cut by somebody's function."""

    def __init__(
        self, pieces_of: Callable[[str], list[str]], vocab: Mapping[str, int], text: str
    ) -> None:
        self.pieces_of, self.vocab, self.text = pieces_of, vocab, text
        self._box: Any = None

    def told(self) -> tuple[list[str], str]:
        """The pieces and all in words; no pieces where the learner's own code raises."""
        try:
            pieces = self.pieces_of(self.text)
        except NotImplementedError:
            return [], "Nothing is cut here until the function that cuts is written."
        except Exception as error:
            return [], f"This cannot be cut: {type(error).__name__}: {error}"
        unknown = pieces.count("[UNK]")
        words = f"{len(self.text)} characters, {len(pieces)} pieces, {unknown} of them unknown"
        return pieces, f"{words}: {' '.join(pieces[:LONGEST])}"

    def shown(self) -> str:
        """Each piece in a box above its id, in HTML, and the words below."""
        pieces, words = self.told()
        boxes = "".join(self._boxed(piece) for piece in pieces[:LONGEST])
        told = html.escape(words.partition(":")[0] if pieces else words)
        return f'<div>{boxes}</div><p role="status" class="cut-words">{told}</p>'

    def _boxed(self, piece: str) -> str:
        style = UNKNOWN if piece == "[UNK]" else BOX if piece.startswith("##") else STARTS
        number = self.vocab.get(piece, "not in the list")
        return f'<span style="{style}">{html.escape(piece)}<br><small>{number}</small></span>'

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {}
        try:
            self._box = self._box or self._widgets()
            bundle |= self._box._repr_mimebundle_()
        except ImportError:  # no ipywidgets: the words say it
            pass
        return bundle | {"text/plain": f"{self.text}: {self.told()[1]}"}

    def _widgets(self) -> Any:
        from ipywidgets import HTML, Layout, Text, VBox

        field = Text(self.text, description="text", layout=Layout(width="auto", max_width="40em"))
        shown = HTML(self.shown())

        def typed(change: dict[str, Any]) -> None:
            self.text = str(change["new"])
            shown.value = self.shown()

        field.observe(typed, "value")  # at every letter
        return VBox([field, shown])
