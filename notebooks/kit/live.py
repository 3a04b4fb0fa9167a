"""A learner's own BERT to type into: words, heads and a line by layer; it computes no score.

`Live(touched, vocab, sentence, other)` shows widgets where there is a browser, and words elsewhere.
Every state is told in words as well: what is changed, and what came of it.
"""

import html
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from kit import earlier
from kit.own_bert import ALONE
from kit.style import COLOURS, INK
from kit.touched import PATCHED, SILENCED, Head, Touched

MODES = {"A click silences a head": SILENCED, "A click patches it from the other": PATCHED}
SIGNS = {SILENCED: "✕", PATCHED: "⇐"}
LONGEST = 40  # tokens
WIDE, HIGH, LEFT, RIGHT, TOP = 580, 240, 46, 110, 14  # pixels of the drawing


class Live:
    """Two sentences, one word of the first, and the heads that are changed in it."""

    def __init__(
        self, touched: Touched, vocab: dict[str, int], sentence: str, other: str, word: int = 2
    ) -> None:
        self.touched, self.vocab = touched, vocab
        self.pieces = {index: piece for piece, index in vocab.items()}
        self.sentence, self.other, self.word = sentence, other, word
        self.changes: dict[Head, str] = {}
        self._encode = earlier.encode
        self._view: Any = None
        self.curves()  # where the probe is still a stub, the cell says so at once

    def tokens(self) -> list[str]:
        """The pieces of the sentence, [CLS] and [SEP] included."""
        return [self.pieces[index] for index in self._ids(self.sentence)[0].tolist()]

    def click(self, head: Head, how: str) -> None:
        """Change a head so; a second click of the same kind gives it back what it found."""
        if self.changes.pop(head, "") != how:
            self.changes[head] = how

    def curves(self) -> dict[str, Tensor]:
        """The word's score after each layer: as it is, and with the changes, if there are any.

        raises: ValueError where a patch does not fit, and what else the learner's code raises
        """
        ids, other = self._ids(self.sentence), self._ids(self.other)
        curves = {"as it is": self.touched.scores(ids)[:, self.word]}
        if self.changes:
            changed = self.touched.scores(ids, self.changes, other)
            curves["changed"] = changed[:, self.word]
        return curves

    def words(self) -> str:
        """What is shown, in words."""
        return self.told()[1]

    def told(self) -> tuple[dict[str, Tensor], str]:
        """The curves, and all in words; no curves where the learner's own code raises."""
        words = [f"“{self.tokens()[self.word]}” in “{self.sentence}”:"]
        if len(self.tokens()) == LONGEST:
            words.append(f"Only the first {LONGEST} pieces are read.")
        for how, name in ((SILENCED, "silenced"), (PATCHED, f"patched from “{self.other}”")):
            heads = [
                f"layer {i} head {h}"
                for (i, h), each in sorted(self.changes.items())
                if each == how
            ]
            words += [f"{', '.join(heads)} {name}."] if heads else []
        try:
            curves = self.curves()
        except Exception as error:
            words.append(f"This cannot be computed: {type(error).__name__}: {error}")
            return {}, "\n".join(words)
        for name, curve in curves.items():
            kind = "verb" if curve[-1] > 0 else "noun"
            scores = ", ".join(f"{score:+.2f}" for score in curve)
            words.append(f"{name}: {scores}; {kind} at the end.")
        return curves, "\n".join(words)

    def _ids(self, text: str) -> Tensor:
        return torch.tensor([self._encode(text, None, self.vocab)["input_ids"][:LONGEST]])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {}
        try:
            self._view = self._view or _View(self)
            bundle |= self._view.box._repr_mimebundle_()
        except ImportError:  # no ipywidgets: the words say it
            pass
        return bundle | {"text/plain": self.words()}


class _View:
    """The widgets. A head's button says its layer and number, and with a sign what was done."""

    def __init__(self, live: Live) -> None:
        from ipywidgets import HTML, Button, GridBox, HBox, Layout, Text, ToggleButtons, VBox

        self.live = live
        line = Layout(width="auto", max_width="34em")
        wide = {"description_width": "8em"}
        self.sentence = Text(live.sentence, description="sentence", layout=line, style=wide)
        self.other = Text(live.other, description="other sentence", layout=line, style=wide)
        for field, name in ((self.sentence, "sentence"), (self.other, "other")):
            field.continuous_update = False
            field.observe(self._typed(name), "value")
        self.tokens = ToggleButtons(description="word", style=wide | {"button_width": "auto"})
        self.tokens.observe(self._chosen, "value")
        self.mode = ToggleButtons(options=MODES, style={"button_width": "auto"})
        undo = Button(description="Undo all", layout=Layout(width="auto", flex="0 0 auto"))
        undo.on_click(self._undo)
        self.heads: dict[Head, Any] = {}
        small = Layout(width="auto", min_width="0", margin="1px", padding="0 2px")
        for layer in range(len(live.touched.maps)):
            for head in range(live.touched.num_heads):
                button = Button(layout=small)
                button.on_click(self._clicked((layer, head)))
                self.heads[layer, head] = button
        columns = f"repeat({live.touched.num_heads}, minmax(3.4em, 1fr))"
        grid = Layout(grid_template_columns=columns, overflow="auto", width="min(100%, 58em)")
        legend = HTML("<p>A button is a head, <i>layer.head</i>: ✕ silenced, ⇐ patched.</p>")
        self.shown = HTML()
        fields = [self.sentence, self.tokens, self.other, legend]
        heads = GridBox(list(self.heads.values()), layout=grid)
        self.box = VBox(
            [
                *fields,
                HBox([self.mode, undo], layout=Layout(flex_flow="row wrap")),
                heads,
                self.shown,
            ]
        )
        self.tell_tokens()
        self.draw()

    def _typed(self, name: str) -> Callable[[dict[str, Any]], None]:
        def typed(change: dict[str, Any]) -> None:
            with ALONE:
                setattr(self.live, name, str(change["new"]))
                self.tell_tokens()
                self.draw()

        return typed

    def _chosen(self, change: dict[str, Any]) -> None:
        if change["new"] is not None:
            with ALONE:
                self.live.word = int(change["new"])
                self.draw()

    def _clicked(self, head: Head) -> Callable[[Any], None]:
        def clicked(_: Any) -> None:
            with ALONE:
                self.live.click(head, self.mode.value)
                self.draw()

        return clicked

    def _undo(self, _: Any) -> None:
        with ALONE:
            self.live.changes.clear()
            self.draw()

    def tell_tokens(self) -> None:
        """Offer the pieces of the sentence, and stay at the chosen place where there is one."""
        tokens = self.live.tokens()
        self.live.word = min(self.live.word, len(tokens) - 1)
        place = self.live.word
        self.tokens.unobserve(self._chosen, "value")
        self.tokens.options = [(token, index) for index, token in enumerate(tokens)]
        self.tokens.value = place
        self.tokens.observe(self._chosen, "value")

    def draw(self) -> None:
        """Say and draw what the model does now."""
        for (layer, head), button in self.heads.items():
            how = self.live.changes.get((layer, head), "")
            button.description = " ".join([f"{layer}.{head}", *filter(None, [SIGNS.get(how)])])
            button.tooltip = f"layer {layer}, head {head}: {how or 'as it is'}"
            button.button_style = "warning" if how else ""
        curves, words = self.live.told()
        drawn = drawing(curves) if curves else ""
        told = html.escape(words).replace("\n", "<br>")
        self.shown.value = f'{drawn}<p role="status" class="live-words">{told}</p>'


def drawing(curves: dict[str, Tensor]) -> str:
    """Scores by layer as an SVG: a dashed line as it is, a whole one with the changes."""
    top = max(1.0, *(float(curve.abs().max()) for curve in curves.values())) * 1.1
    count = len(next(iter(curves.values())))

    def x(layer: int) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * layer / (count - 1)

    def y(score: float) -> float:
        return TOP + (HIGH - 2 * TOP - 20) * (0.5 - score / top / 2)

    marks = [_label(LEFT - 6, y(at), f"{at:+.1f}", "end") for at in (-top, 0.0, top)]
    marks += [_label(x(at), HIGH - 8, str(at), "middle") for at in range(count)]
    marks += [_label(x(count - 1) + 10, HIGH - 8, "layers passed")]
    marks += [_label(x(count - 1) + 10, y(0.9 * top), "verb")]
    marks += [_label(x(count - 1) + 10, y(-0.9 * top), "noun")]
    ends = sorted((float(curve[-1]), name) for name, curve in curves.items())
    for number, (score, name) in enumerate(ends):
        shift = (8 if number == 0 else -8) * (len(ends) - 1)
        marks.append(_label(x(count - 1) + 10, y(score) + shift, name))
    lines = [f'<line x1="{x(0)}" x2="{x(count - 1)}" y1="{y(0)}" y2="{y(0)}" stroke="{INK}"/>']
    for (name, curve), colour in zip(curves.items(), COLOURS, strict=False):
        points = " ".join(f"{x(i):.1f},{y(float(score)):.1f}" for i, score in enumerate(curve))
        dash = 'stroke-dasharray="6 4"' if name == "as it is" else ""
        style = f'fill="none" stroke="{colour}" stroke-width="2.5" {dash}'
        lines.append(f'<polyline points="{points}" {style}/>')
    title = "The probe's score of the word, by layers passed. The same stands in words below."
    return (
        f'<div style="overflow-x:auto"><svg width="{WIDE}" height="{HIGH}" role="img" '
        f'aria-label="{title}">{"".join(lines + marks)}</svg></div>'
    )


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    font = f'font-size="12" fill="{INK}" dominant-baseline="middle"'
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {font}>{html.escape(text)}</text>'
