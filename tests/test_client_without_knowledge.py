"""The client without knowledge learns all that is told: else its nought would say nothing."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from benchmarks.no_oracle import Table, code_of, learn
from grader.curriculum.syllabus import syllabus


def entry(message: str = "", *differences: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    rows = [dict(zip(("index", "expected", "got"), row, strict=True)) for row in differences]
    return {"title": "It is so.", "message": message, "differences": rows, **more}


PICTURE = {
    "part": "index 1 of axis 0",
    "starts": [0, 2],
    "expected": [["0.5", "nan"]],
    "got": [["123456", "123456"]],
}
TOLD: list[tuple[dict[str, Any], Table]] = [
    (entry("", ("", "['a', 'b']", "['?123456']")), {123456: ("literal", ["a", "b"])}),
    (
        entry("Its shape is [123456, 0]; [4 (seq), 2] was expected."),
        {123456: ("", ([4, 2], {}))},
    ),
    (
        entry("", ("[0, 1]", "0.25", "123456"), picture={**PICTURE, "expected": [["0.5"]]}),
        {123456: ("", (None, {(0, 1): 0.25, (1, 0, 2): 0.5}))},
    ),
    (entry("It is 1234567.", ("[0]", "True", "False")), {}),
]


@pytest.mark.parametrize(("told", "table"), TOLD)
def test_what_stands_beside_a_hash_is_learned(told: dict[str, Any], table: Table) -> None:
    known: Table = {}
    learn(known, told, {})
    assert known == table


def test_what_shows_no_hash_is_about_the_call_that_was_shown_last() -> None:
    known: Table = {}
    shown: dict[str, int] = {}
    learn(known, entry("Its shape is [123456, 0]; [2] was expected."), shown)
    learn(known, entry("Its dtype is float32; bool was expected."), shown)
    learn(known, entry("", ("[1]", "True", "False")), shown)
    assert known == {123456: ("bool", ([2], {(1,): 1.0}))}


def test_a_literal_that_was_quoted_stays() -> None:
    known: Table = {}
    shown: dict[str, int] = {}
    learn(known, entry("", ("", "['a']", "['?123456']")), shown)
    learn(known, entry("Its shape is [2]; [1] was expected."), shown)
    assert known == {123456: ("literal", ["a"])}


def test_the_same_input_has_the_same_hash_and_is_answered_by_the_table() -> None:
    exercise = syllabus()["causal_mask"]
    answer = "_own['answer'](given)"
    names: dict[str, Any] = {}
    exec(code_of(exercise, answer, mode="number"), names)
    key, other = names["causal_mask"](2), names["causal_mask"](3)
    assert key != other and key == names["causal_mask"](2)
    table: Table = {key: ("bool", ([2], {(0,): 1.0, (1,): 0.0}))}
    exec(code_of(exercise, answer, table, "number"), names)
    assert names["causal_mask"](2).equal(torch.tensor([True, False]))
    assert names["causal_mask"](3) == other
