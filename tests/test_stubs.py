"""A stub is known from an answer that was begun."""

from __future__ import annotations

import ast

import pytest

from grader.submission import is_stub
from tests.submitted import submission

STUBS = [
    "def softmax(x, dim):\n    raise NotImplementedError",
    'def softmax(x, dim):\n    """Doc."""\n    raise NotImplementedError("your turn")',
    "def softmax(x, dim): ...",
    "def softmax(x, dim):\n    pass",
    'def softmax(x):\n    "only words"',
    "async def softmax(x): pass",
    "@staticmethod\ndef softmax(x): ...",
    "class softmax(Base):\n    def __init__(self):\n        super().__init__()\n"
    "        raise NotImplementedError\n    def forward(self, x): raise NotImplementedError()",
    "class softmax:\n    '''Doc.'''",
    "class softmax:\n    pass",
]
BEGUN = [
    "def softmax(x): return x",
    "def softmax(x):\n    x = 1\n    raise NotImplementedError",
    "def softmax(x): return None",
    "softmax = None",
    "class softmax:\n    def forward(self, x): return x\n    def other(self): ...",
    "class softmax:\n    eps = 1",
    "def softmax(x):\n    raise ValueError",
    "def softmax(x):\n    raise",
    "from math import floor as softmax",
    "class softmax(Base): pass",
    "class softmax(Base):\n    def __init__(self):\n        super().__init__()",
]


@pytest.mark.parametrize(
    ("code", "expected"), [*((c, True) for c in STUBS), *((c, False) for c in BEGUN)]
)
def test_stubs(code: str, expected: bool) -> None:
    assert is_stub(ast.parse(code).body[0]) is expected
    cut = submission(code).slice("softmax")
    assert cut is not None and cut.is_stub is expected
