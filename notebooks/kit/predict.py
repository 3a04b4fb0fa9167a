"""Guesses that a learner makes before a cell measures the answer; it knows no answer.

`wider = predict("How large …?", ["stays", "doubles"])` shows the question, and in a later cell
`wider.beside("2.0 times as large")` shows the guess and what came out. Without a guess the answer
waits. A guess may be changed until its answer is shown, and is kept in `progress.toml`.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from IPython import get_ipython
from IPython.display import display

from grader.notebook import this_notebook
from grader.notebook.guesses import Guess
from grader.notebook.progress_file import recall_guesses, remember_guess
from kit import guess_click, guess_page, kernel_channel, passed_over
from kit.guess_judge import outcome, right_choice

_here: dict[str, Guess] = {}  # what was guessed in this kernel, by question
_asked: dict[str, "Prediction"] = {}  # the last one of each key


class Prediction:
    """One question, its choices, and the guess that a learner commits to."""

    def __init__(self, question: str, choices: Sequence[object] = (), guess: object = None) -> None:
        self.choices = [str(choice) for choice in choices]
        self.key = sha256(question.encode()).hexdigest()[:10]
        known = _here.get(question) or recall_guesses(Path.cwd()).get(question)
        self.state = known or Guess(question)
        self._measured: tuple[str, str | None] | None = None  # what the cell below came to
        if (before := _asked.get(self.key)) is not None:
            self._measured = before._measured
        _asked[self.key] = self
        if guess is not None:
            self.commit(str(guess))

    def commit(self, guess: str, why: str = "") -> None:
        """Take a guess, as long as the answer is not out; an answer that waits is shown now."""
        if not self.state.is_shown and guess.strip():
            self._keep(replace(self.state, guess=guess.strip(), why=why.strip()))
            if self._measured is not None:
                self._keep(self._answered())
                self._draw("answer", update=True)
        self._draw("question", update=True)

    def look(self) -> None:
        """The answer is looked at without a guess, and no guess is taken after that."""
        if self._measured is not None and not self.state.guess:
            self._keep(self._answered())
            self._draw("answer", update=True)
        self._draw("question", update=True)

    def beside(self, measured: object, right: object = None) -> "Nothing":
        """Show the guess and what came out; without a guess the answer waits for one.

        right: the choice that is right, where what was measured does not name it
        """
        self._measured = (str(measured), None if right is None else str(right))
        if self.state.guess or self.state.is_shown:
            self._keep(self._answered())
            self._draw("question", update=True)
        self._draw("answer")
        return Nothing()

    def show(self) -> None:
        """The question, as HTML that a saved notebook keeps, and as plain text elsewhere."""
        guess_click.listen(_take)
        self._draw("question")
        if kernel_channel.is_vscode() and not self.state.is_shown:
            guess_click.field_below(self.choices, self.state.guess, self.commit)

    def __str__(self) -> str:
        return guess_page.question_text(self.state, self.choices)

    def _answered(self) -> Guess:
        measured, told = self._measured or ("", None)
        right = right_choice(self.choices, measured, told)
        judged = outcome(self.state.guess, right, measured)
        return replace(self.state, measured=measured or "nothing", right=right, outcome=judged)

    def _keep(self, state: Guess) -> None:
        self.state = replace(state, chapter=state.chapter or this_notebook.chapter())
        _here[state.question] = self.state
        remember_guess(Path.cwd(), self.state)

    def _draw(self, part: str, update: bool = False) -> None:
        if part == "answer":
            page = guess_page.answer(self._answered(), self.key, self.state.is_shown)
        else:
            click = kernel_channel.kernel_id(), guess_click.SCRIPT
            page = guess_page.question(self.state, self.choices, self.key, *click)
        if get_ipython() is not None:
            display(page, display_id=f"{part}-{self.key}", update=update)
        elif part == "answer" and not update:
            print(page)


class Nothing:
    """What `beside` returns, so that `print(…)` around it and the end of a cell add nothing."""

    def __str__(self) -> str:
        return ""

    def _ipython_display_(self) -> None:
        """Nothing is shown."""


def _take(data: dict[str, Any]) -> None:
    """What was clicked, in whichever page."""
    asked = _asked.get(str(data.get("key")))
    if asked is None:
        return
    if data.get("look"):
        asked.look()
    else:
        asked.commit(str(data.get("guess", "")), str(data.get("why", "")))


def predict(question: str, choices: Sequence[object] = (), guess: object = None) -> Prediction:
    """Ask before measuring; hold on to what is returned, and call its `beside(…)` afterwards.

    choices: what to choose from; none = a field to write a number or a few words into
    guess:   the answer in writing, where no buttons are to be had
    """
    asked = Prediction(question, choices, guess)
    if get_ipython() is not None:
        asked.show()
    return asked


if (_shell := get_ipython()) is not None:
    passed_over.install(_shell)
