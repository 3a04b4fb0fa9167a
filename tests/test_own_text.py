"""Code that may look at its own text or lines is known by what it names."""

import ast

import pytest

from grader.submission.own_text import may_see_itself

PLAIN = [
    "def softmax(x, dim):\n    return x.exp() / x.exp().sum(dim)",
    "def is_one(x):\n    return type(x) is int and isinstance(x, int)",
    "class Layer:\n    def __init__(self):\n        self.scale = 1",
]
# From Python 3.13 on, what makes a class is given the line at which it begins.
SEEING = [
    "class Kind(type):\n    pass",
    "Kind = type('Kind', (type,), {})",
    "kind = type\nmade = kind('Made', (), {})",
    "def text(f):\n    return f.__code__",
    "import inspect",
    "def f(:",
]


@pytest.mark.parametrize("code", PLAIN)
def test_plain_code_may_not(code: str) -> None:
    assert not may_see_itself([ast.parse(code)])


@pytest.mark.parametrize("code", SEEING)
def test_what_leads_to_lines_or_text_may(code: str) -> None:
    try:
        tree = ast.parse(code)
    except SyntaxError:
        tree = None
    assert may_see_itself([tree])
