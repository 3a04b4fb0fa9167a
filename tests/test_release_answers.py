"""Nothing that a bundle gives answers an exercise: each expression and function of it is tried."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli.release.contents import BUNDLE, shared_modules
from grader.curriculum.course import course as chosen_course
from tests.answers_within import answers_in

NOTEBOOKS = chosen_course().notebooks

KIT = sorted((NOTEBOOKS / "kit").glob("*.py"))
GRADER = [path for path in (*shared_modules(), *BUNDLE.rglob("*.py")) if path.suffix == ".py"]
CHAPTERS = sorted(NOTEBOOKS.glob("*.ipynb"))
FOUND = [
    ("scores.masked_fill(mask == 0, float('-inf')).softmax(-1)", {"masked_softmax"}),
    ("def mix(m, s):\n    return (s - 1e9 * (m == 0)).softmax(-1)", {"masked_softmax"}),
    ("weigh = lambda s, m: s.masked_fill(m < 1, -torch.inf).softmax(-1)", {"masked_softmax"}),
    ("y = given[0].transpose(1, 2).flatten(2)", set()),
    ("for y in z:\n    print(y.transpose(1, 2).flatten(2))", {"merge_heads"}),
    ("softmax(scores.masked_fill(mask == 0, -torch.inf), -1)", {"masked_softmax"}),
    ("softmax(x, dim)", set()),  # a call of what the learner wrote
    ("F.cross_entropy(logits, labels)", set()),  # ready-made, which is refused
    ("x / (1 + x.exp())", set()),
]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize(("source", "exercises"), FOUND)
def test_answers_are_found_in_other_code(source: str, exercises: set[str]) -> None:
    assert {exercise for exercise, _ in answers_in(source)} == exercises


def given_in(path: Path) -> Iterator[str]:
    """The code that a file gives: of a notebook the cells that are no stubs."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield text
        return
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and "raise NotImplementedError" not in source:
            yield "\n".join(line for line in source.splitlines() if not line.startswith("%"))


@pytest.mark.parametrize("path", [*KIT, *CHAPTERS, *GRADER], ids=lambda path: path.stem)
def test_nothing_that_is_given_answers_an_exercise(path: Path) -> None:
    assert [found for source in given_in(path) for found in answers_in(source)] == []
