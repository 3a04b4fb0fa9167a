"""What goes wrong in learner code is told by its kind, its cell and its line, as short text."""

from __future__ import annotations

import pytest
import torch

from grader.worker.answering import Service
from tests.services import load, loaded, problem, value


def test_errors_name_cell_and_line_and_show_only_the_learners_frames() -> None:
    service = loaded(
        """
        import torch
        def helper(x):
            return x @ x
        def f(x):
            return helper(x)
        """,
        line=10,
    )
    found = problem(service, torch.ones(2, 3))
    assert found["kind"] == "raised" and found["where"] == "call"
    assert [(f["label"], f["line"], f["function"], f["source"]) for f in found["frames"]] == [
        ("03.ipynb, cell 4", 15, "f", "return helper(x)"),
        ("03.ipynb, cell 4", 13, "helper", "return x @ x"),
    ]


def test_a_syntax_error_has_its_line_in_the_cell() -> None:
    service = Service()
    found = load(service, "x = 1\ndef f(:\n    pass", label="a.py", line=7)["error"]
    assert (found["type"], found["where"], found["frames"][0]["line"]) == ("SyntaxError", "load", 8)


@pytest.mark.parametrize("name", ["nonsense", "braces"])
def test_a_future_that_there_is_not_is_told_as_python_tells_it(name: str) -> None:
    units = [{"code": f"from __future__ import {name}\n", "label": "a.py", "line": 4}]
    problem = Service().handle("load", {"exercise": "f", "units": units})["error"]
    assert (problem["type"], problem["frames"][0]["line"]) == ("SyntaxError", 4)


def test_a_missing_import_harms_only_its_use() -> None:
    service = loaded(
        """
        import torch, numpyy as np
        from torch import nn, nothing_of_that_name
        from nowhere.at_all import *
        def f(x: np.ndarray | None = None, y: np.typing.NDArray[int] = None) -> nn.Module:
            return x if isinstance(x, np.ndarray) else 3
        def g(x):
            return np.array(x)
        def h(x):
            return nothing_of_that_name(x)
        """
    )
    assert value(service) == 3
    for name, missing in (("g", "np.array"), ("h", "nothing_of_that_name")):
        found = problem(service, 1, name=name)
        assert found["kind"] == "import" and found["message"].startswith(missing)
        assert "/" not in found["message"]


@pytest.mark.parametrize(
    ("code", "kind", "type_name"),
    [
        ("raise NotImplementedError", "not_implemented", "NotImplementedError"),
        ("raise NotImplementedError('yet')", "not_implemented", "NotImplementedError"),
        ("return torch.nn.Module()(x)", "raised", "NotImplementedError"),
        ("return torch.softmax(torch.ones(2, dtype=torch.long), -1)", "raised", None),
        ("raise SystemExit(3)", "exited", "SystemExit"),
        ("import sys; sys.exit()", "exited", "SystemExit"),
        ("raise MemoryError", "memory", "MemoryError"),
        ("return torch.empty(2**50)", "memory", "RuntimeError"),
        ("import nowhere", "import", "ModuleNotFoundError"),
        ("return x.nothing", "raised", "AttributeError"),
        ("return f(x)", "raised", "RecursionError"),
        ("raise BaseException('x')", "raised", "BaseException"),
        ("raise GeneratorExit", "raised", "GeneratorExit"),
    ],
)
def test_kinds_of_problems(code: str, kind: str, type_name: str | None) -> None:
    found = problem(loaded(f"import torch\ndef f(x):\n    {code}\n"), torch.ones(1))
    assert found["kind"] == kind
    assert type_name is None or found["type"] == type_name
    assert len(found["frames"]) <= 20


@pytest.mark.parametrize(
    "method",
    [
        "def __str__(self): raise RuntimeError",
        "def __str__(self): raise SystemExit",
        "def __str__(self): return 3",
        "def __str__(self): return 'x' * 10**7",
        "def __str__(self): return '\\x1b[2J\\x00\\ud800' * 5000",
        "def __getattribute__(self, name): raise RuntimeError",
        "args = property(lambda self: 1 / 0)",
    ],
)
def test_hostile_exceptions_become_short_printable_text(method: str) -> None:
    code = f"""
        class E(Exception):
            {method}
        E.__name__ = "E" * 5000 + "\\x1b"
        def f():
            raise E
        """
    found = problem(loaded(code))
    assert len(found["message"]) <= 2000 and len(found["type"]) <= 200
    for text in (found["message"], found["type"]):
        assert text.encode() is not None and "\x1b" not in text and "\x00" not in text
