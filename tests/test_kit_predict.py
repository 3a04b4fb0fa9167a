"""A guess is kept, shown beside what came out, and can be made without any button."""

from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = str(Path(__file__).parents[1] / "notebooks")


@pytest.fixture
def predict(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(NOTEBOOKS)
    from kit.predict import predict

    return predict


@pytest.mark.parametrize(
    ("guess", "line"), [(None, "no guess yet"), ("double", "double"), (0, "0"), (2.5, "2.5")]
)
def test_the_guess_stands_beside_what_came_out(predict: Any, guess: object, line: str) -> None:
    assert predict("How large?", guess=guess).beside(2).splitlines() == [
        f"your guess: {line}",
        "it is:      2",
    ]


def test_without_buttons_the_question_is_text_that_says_what_to_do(predict: Any) -> None:
    shown = predict("How large?", ["same", "double"])._repr_mimebundle_()["text/plain"]
    assert shown.splitlines()[:3] == ["How large?", "  · same", "  · double"]
    assert "guess=" in shown


@pytest.mark.parametrize("choices", [["same", "double"], []])
def test_what_is_chosen_or_written_in_the_browser_is_the_guess(
    predict: Any, choices: list[str]
) -> None:
    asked = predict("How <large>?", choices)
    bundle = asked._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    question, field = asked._widget.children
    assert question.value == "How &lt;large>?"
    assert field.value in (None, "")  # nothing is chosen for the learner
    field.value = "double"
    assert asked.beside(2).startswith("your guess: double\n")
    assert asked._repr_mimebundle_()["text/plain"] == bundle["text/plain"]


def test_in_a_notebook_it_shows_itself(predict: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import kit.predict as module

    shown: list[Any] = []
    monkeypatch.setattr(module, "get_ipython", object)
    monkeypatch.setattr(module, "display", shown.append)
    assert shown == [] and [predict("How large?")] == shown
