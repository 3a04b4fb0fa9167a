"""Guesses that a learner makes before a cell measures the answer; it knows no answer.

`wider = predict("How large …?", ["stays", "doubles"])` shows the choices, and a later cell prints
`wider.beside("2.0 times as large")`: the guess and what came out, one below the other.
"""

from collections.abc import Sequence
from typing import Any

from IPython import get_ipython
from IPython.display import display

NONE = "no guess yet"


class Prediction:
    """One question and the learner's guess: buttons in a browser, plain text elsewhere."""

    def __init__(self, question: str, choices: Sequence[object] = (), guess: object = None) -> None:
        self.question = question
        self.choices = [str(choice) for choice in choices]
        self.guess = "" if guess is None else str(guess)
        self._widget: Any = None

    def beside(self, measured: object) -> str:
        """Two lines: what was guessed, and what came out."""
        return f"your guess: {self.guess or NONE}\nit is:      {measured}"

    def __str__(self) -> str:
        listed = [f"  · {choice}" for choice in self.choices]
        how = "Without buttons: add guess=… to the call above and run it again."
        return "\n".join([self.question, *listed, how])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": str(self)}
        try:
            self._widget = self._widget or self._drawn()
            bundle |= self._widget._repr_mimebundle_()
        except ImportError:  # no ipywidgets: the text says what to do
            pass
        return bundle | {"text/plain": str(self)}

    def _drawn(self) -> Any:
        """The question above its buttons, or above a field for a number or a few words."""
        from ipywidgets import HTML, Layout, RadioButtons, Text, VBox

        chosen = self.guess or None
        if self.choices:
            wide = Layout(width="auto", height="auto")
            known = chosen if chosen in self.choices else None
            field = RadioButtons(options=self.choices, value=known, layout=wide)
        else:
            field = Text(value=self.guess, placeholder="your guess", layout=Layout(width="12em"))
        field.observe(self._note, "value")
        question = HTML()
        question.value = self.question.replace("&", "&amp;").replace("<", "&lt;")
        return VBox([question, field])

    def _note(self, change: dict[str, Any]) -> None:
        self.guess = str(change["new"] or "").strip()


def predict(question: str, choices: Sequence[object] = (), guess: object = None) -> Prediction:
    """Ask before measuring; hold on to what is returned, and print its `beside(…)` afterwards.

    choices: what to choose from; none = a field to write a number or a few words into
    guess:   the answer in writing, where no buttons are to be had
    """
    asked = Prediction(question, choices, guess)
    if get_ipython() is not None:
        display(asked)
    return asked
