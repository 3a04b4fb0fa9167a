"""An answer of the worker is taken only in the form that its request asks for."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.wall import answer_forms
from grader.worker.protocol import ProtocolError
from grader.worker.values import Opaque
from tests.value_trees import plain_leaves

OPS = ["load", "call", "construct", "read", "write", "record"]
fields = st.sampled_from(
    ["ok", "error", "value", "grads", "mutated", "handle", "values", "kind", "parameters"]
)
claims = st.recursive(plain_leaves, lambda c: st.dictionaries(fields, c, max_size=4), max_leaves=10)


@given(st.sampled_from(OPS), claims)
def test_answers_of_another_form_are_refused(op: str, claim: Any) -> None:
    try:
        kind, content = answer_forms.message({"answer": claim})
        answer_forms.check(op, content)
    except ProtocolError:
        return
    assert kind == "answer" and set(content) in ({"ok"}, {"error"})


_RAN: dict[str, Any] = {"statements": [], "is_cut": False, "raised": None, "problem": None}


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        ("load", {"ok": {"more": 1}}),
        ("load", {"ok": None}),
        ("load", {"ok": {}, "error": {}}),
        ("read", {"ok": {"values": {"a": 3}}}),
        ("read", {"ok": {"values": {1: torch.ones(1)}}}),
        ("construct", {"ok": {"handle": 1}}),
        ("record", {"ok": {**_RAN, "raised": {}}}),
        ("record", {"ok": {**_RAN, "raised": {"statement": 0, "held": {}, "made": {"x": "0"}}}}),
        ("record", {"ok": {**_RAN, "statements": [{"line": "3"}]}}),
        ("call", {"error": {"kind": "raised"}}),
        ("call", {"error": Opaque("dict")}),
    ],
)
def test_malformed_answers_are_refused(op: str, answer: dict[str, Any]) -> None:
    with pytest.raises(ProtocolError):
        answer_forms.check(op, answer)


_DONE: dict[str, Any] = {"ok": {}}
_FAILED = {"error": {"kind": "raised", "type": "", "message": "", "where": "", "frames": []}}
_EDIT = {"label": "", "line": 1, "also": [], "source": "", "part": "", "kind": "number"}


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (["write"], []),
        (["write"], [_DONE, _DONE]),
        (["call"], [_DONE]),
        (["write", "read"], [_DONE, _DONE]),
        (["write"], {"0": _DONE}),
    ],
)
def test_answers_to_several_requests_are_each_of_their_own_form(
    asked: list[str], given: Any
) -> None:
    answer_forms.check(
        "several", {"ok": {"answers": [_DONE]}}, ["write", "write"]
    )  # not all at once
    answer_forms.check("several", {"ok": {"answers": [_FAILED, _DONE]}}, ["call", "write"])
    with pytest.raises(ProtocolError):
        answer_forms.check("several", {"ok": {"answers": given}}, asked)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (["construct", "call"], [_DONE]),
        (["call", "write"], [_FAILED]),
        (["construct", "call"], [_FAILED, _DONE]),
        (["call"], []),
    ],
)
def test_changed_code_answers_all_that_it_is_asked(asked: list[str], given: Any) -> None:
    def check(answered: Any) -> None:
        answer_forms.check(
            "alter", {"ok": {"edits": [{"edit": _EDIT, "answers": answered}]}}, asked
        )

    check([_FAILED] if asked[0] == "construct" else [_FAILED] * len(asked))
    with pytest.raises(ProtocolError):
        check(given)
