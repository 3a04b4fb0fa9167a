"""No code hides a ready-made function by its depth, its length or its number of lines."""

from __future__ import annotations

import ast
import gc
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.submission import Unit
from grader.submission.shortcuts import find
from tests.counted import peak_memory, within
from tests.shortcuts import NAMES, SOFTMAX, body, found
from tests.submitted import submission

# How often each is repeated, and what that gives.
HOSTILE: dict[str, tuple[int, Callable[[int], str]]] = {
    "a long sum": (2_000, lambda n: " + ".join(["x"] * n)),
    "default lambdas": (150, lambda n: "lambda a=" * n + "1" + ": 1" * n),
    "nested evals": (90, lambda n: "eval(" * n + "'x'" + ")" * n),
    "methods of a text": (900, lambda n: "'a'" + ".upper()" * n),
    "nested brackets": (90, lambda n: "[" * n + "x" + "]" * n),
    "nested calls": (90, lambda n: "f(" * n + "x" + ")" * n),
    "subscripts": (900, lambda n: "x" + "[0]" * n),
    "texts in texts": (80, lambda n: "'%s' % (" * n + "'a'" + ",)" * n),
    "evals in evals": (200, lambda n: "eval('eval(\"1\")') + " * n + "1"),
}


def hostile(expression: str) -> str:
    return f"import torch\ny = torch.softmax\ndef softmax(x, dim):\n    y\n    return {expression}"


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_expressions_hide_nothing(case: str) -> None:
    times, expression = HOSTILE[case]
    assert ("torch.softmax", 2) in found(hostile(expression(times)))


@pytest.mark.parametrize("case", HOSTILE)
def test_an_expression_80_deep_is_read_in_half_a_million_steps(case: str) -> None:
    _, expression = HOSTILE[case]  # less deep than what exhausts Python's stack
    within(500_000, found, hostile(expression(80)))  # it takes up to 120,000


# Each line could be cheap by itself and dear together: names that grow, texts that are large.
_LONG = f"'{'.a' * 990}'"
DEAR = {
    "a way that grows": "y = y.a",
    "a way that grows by texts": f"y = getattr(y, {_LONG})",
    "a text that would grow": f"y; {_LONG}.replace('a', {_LONG})" + " + ''" * 20,
    "a text between texts": f"y; {_LONG}.join({_LONG})" + " + ''" * 20,
}


@pytest.mark.parametrize("case", DEAR)
def test_reading_many_dear_lines_takes_little(case: str) -> None:
    lines = "".join(f"    {DEAR[case]}\n" for _ in range(60))
    code = f"import torch\ndef softmax(x, dim):\n    y = torch\n{lines}    y.softmax"
    assert [name for name, _ in found(code)] == ["torch.softmax"]
    assert peak_memory(found, code) < 3_000_000


HIDDEN = {
    "a deep line before": f"{'-' * 400}1; return torch.softmax(x, dim)",
    "at the bottom of a deep line": f"return {'+' * 400}torch.softmax(x, dim)",
    "by its text, at the bottom": f"return {'+' * 400}getattr(torch, 'softmax')(x, dim)",
    "round and round": f"return torch{'.nn.functional.torch' * 9}.softmax(x, dim)",
}


@pytest.mark.parametrize("case", HIDDEN)
def test_depth_hides_no_shortcut(case: str) -> None:
    assert ("torch.softmax", 3) in found(body(HIDDEN[case]))


def test_what_cannot_be_read_hides_nothing_beside_it() -> None:
    unit = Unit("    h = 1", "a.py", 1)
    cut = submission(body("return torch.softmax(x, dim)"), exercises=NAMES).slice("softmax")
    assert cut is not None
    assert find(replace(cut, written=(unit, *cut.written)), SOFTMAX)


_words = st.sampled_from(
    [
        *("torch", ".", "softmax", "(", ")", "x", "getattr", ",", "'softmax'", "=", "[", "]", "+"),
        *("lambda", ":", "if", "else", "for", "in", "eval", "vars", "type", "self", "'{}'.format"),
        *("%", "f'{x}'", "import", "from", "as", "*", "\n    ", "return", "class A: pass", ";"),
    ]
)


@settings(deadline=None, max_examples=200, suppress_health_check=list(HealthCheck))
@given(st.lists(_words, max_size=25).map(" ".join))
def test_any_code_is_read(code: str) -> None:
    cut = submission(body(code), body("return 1")).slice("softmax")
    assert cut is not None
    find(cut, SOFTMAX)


def test_of_long_code_that_was_read_no_more_is_kept_than_of_one_hand_in() -> None:
    """A class, and who sends a checker one after the other, would fill the memory."""
    numbers = 100_000
    for number in range(4):
        table = f"softmax_{number}"
        found(f"{table} = [{'1, ' * numbers}]\ndef softmax(x, dim): return {table}")
    gc.collect()
    lists = (each for each in gc.get_objects() if isinstance(each, ast.List))
    assert sum(len(each.elts) == numbers for each in lists) <= 3
