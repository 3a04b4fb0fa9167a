"""Whatever `check` and `hint` are given, they answer with a notice or a card, and never raise."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any
from unittest import mock

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

import grader
from grader.notebook.cards import Card, Notice

ASKED = (
    *("__class__", "__getattribute__", "__getattr__", "__name__", "__repr__", "__str__", "__eq__"),
    *("__bool__", "__hash__", "__call__", "__wrapped__", "__dict__", "__len__", "__iter__"),
    *("__get__", "__doc__", "__module__", "__code__", "__globals__", "__qualname__"),
    *("__signature__", "__index__", "__instancecheck__", "__subclasscheck__"),
)


def raising(*_: Any, **__: Any) -> Any:
    raise RuntimeError("no")


def leaving(*_: Any, **__: Any) -> Any:
    raise SystemExit(3)


def lying(*_: Any, **__: Any) -> Any:
    return "softmax"


ANSWERS: tuple[Callable[..., Any], ...] = (raising, leaving, lying)


def odd(names: list[str], answer: Callable[..., Any], as_property: bool, is_meta: bool) -> Any:
    """An object, or with `is_meta` a class, that answers some questions oddly."""
    held: dict[str, Any] = {}
    for name in names:
        function = functools.partial(answer) if name == "__call__" else answer
        held[name] = property(function) if as_property else function
    try:
        if is_meta:
            return type("Meta", (type,), held)("softmax", (), {})
        return type("softmax", (), held)()
    except BaseException:  # Python itself refuses such a class
        return None


@settings(max_examples=40)
@given(
    names=st.lists(st.sampled_from(ASKED), min_size=1, max_size=4, unique=True),
    answer=st.sampled_from(ANSWERS),
    as_property=st.booleans(),
    is_meta=st.booleans(),
)
def test_no_answer_of_an_object_makes_it_raise(
    names: list[str], answer: Callable[..., Any], as_property: bool, is_meta: bool
) -> None:
    thing = odd(names, answer, as_property, is_meta)
    assert type(grader.check(thing)) in (Card, Notice)
    assert type(grader.hint(thing)) is Notice


def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
    return x


class LayerNorm(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x


class Callable_:
    def softmax(self, x: torch.Tensor, dim: int) -> torch.Tensor:
        return x.softmax(dim)

    __call__ = softmax


def circle() -> Any:
    def softmax(x: torch.Tensor, dim: int) -> torch.Tensor:
        return x

    softmax.__wrapped__ = softmax  # type: ignore[attr-defined]
    return softmax


class Text(str):
    __hash__ = __eq__ = raising  # type: ignore[assignment]


def named(name: Any) -> Any:
    thing = mock.MagicMock()
    thing.__name__ = name
    return thing


NOTICES = [
    (lambda: ..., "Say which exercise"),
    (lambda: None, "This is None and no function"),
    (lambda: "softmax", "check(softmax)"),
    (lambda: Text("softmax"), "check(softmax)"),
    (lambda: softmax(torch.ones(2), 0), "This is Tensor and no function"),
    (lambda: LayerNorm(), "Give the class itself: check(LayerNorm)"),
    (lambda: functools.partial(softmax, dim=0), "This is a partial of softmax"),
    (lambda: types.ModuleType("softmax"), "softmax is a module here"),
    (lambda: torch, "This is module and no function"),
    (lambda: 3, "This is int"),
    (lambda: (softmax, softmax), "This is tuple"),
    (lambda: nn.Linear(1, 1), "This is Linear"),
    (lambda: nn.Linear, "No exercise is called 'Linear'"),
    (lambda: len, "No exercise is called 'len'"),
    (lambda: lambda x, dim: x, "No exercise is called '<lambda>'"),
    (lambda: mock.MagicMock(), "This is MagicMock"),
    (lambda: named("no_exercise"), "No exercise is called 'no_exercise'"),
    (lambda: named(Text("softmax")), "softmax: "),
    (lambda: circle(), "softmax: failed"),
    (lambda: Callable_().softmax, "softmax: failed"),  # a bound method, and ready-made
    (lambda: functools.lru_cache(softmax), "softmax: "),
    (lambda: property(softmax), "This is property"),
    (lambda: NotImplemented, "This is NotImplementedType"),
    (lambda: type("softmax", (), {"__init__": raising}), "softmax: "),
]


@pytest.mark.parametrize(("make", "message"), NOTICES, ids=[each[1] for each in NOTICES])
def test_what_is_no_exercise_gets_a_helpful_notice(make: Callable[[], Any], message: str) -> None:
    thing = make()
    assert message in repr(grader.check(thing))
    assert repr(grader.hint(thing))


def test_nothing_and_too_much_are_told_apart() -> None:
    assert "Say which exercise: check(sentence_vector)" in repr(grader.check())
    assert "Say which exercise: hint(sentence_vector)" in repr(grader.hint())
    assert "One exercise at a time" in repr(grader.check(softmax, LayerNorm))


@pytest.mark.parametrize(
    "source",
    [
        "lambda n: torch.ones(n, n).tril().bool()",
        "partial(lambda d, n: torch.ones(n, n).tril(d).bool(), 0)",
        "Maker()",
        "Maker().make",
    ],
)
def test_an_exercise_is_known_by_what_the_notebook_calls_it(source: str) -> None:
    """As it is when handed in."""
    names: dict[str, Any] = {}
    exec(
        "import torch\nfrom functools import partial\nimport grader\n"
        "class Maker:\n"
        "    def make(self, n): return torch.ones(n, n).tril().bool()\n"
        "    __call__ = make\n"
        f"causal_mask = {source}\ncard = grader.check(causal_mask)",
        names,
    )
    assert "causal_mask: passed" in repr(names["card"])


def test_progress_does_without_a_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert {row.state for row in grader.progress(...).rows} >= {"not in this folder's notebooks"}
