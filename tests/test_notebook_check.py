"""A check in a kernel leaves everything as it was, prints nothing, and marks nothing lent."""

from __future__ import annotations

import inspect
import os
import random
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy
import pytest
import torch
from torch import Tensor

import grader
from grader.cli.solve import reference_text
from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.notebook import api
from grader.notebook.in_process import check_in_kernel
from tests.causal_masks import checked, loops, right

# What prints.


def test_what_it_prints_stands_once_in_the_card(capsys: pytest.CaptureFixture[str]) -> None:
    def causal_mask(n: int) -> Tensor:
        print("always the same")
        print("to the errors", file=sys.stderr)
        print("a tensor of", n, end="")
        warnings.warn("take care", stacklevel=1)
        print("\x1b[31m<b>bold</b>" + "x" * 10_000)
        for number in range(1_000):
            print(number)
        return right(n)

    card = grader.check(causal_mask)
    said = capsys.readouterr()
    assert said.out == said.err == ""
    for shown in (repr(card), card._repr_html_()):
        assert shown.count("always the same") == 1
        assert shown.count("UserWarning: take care") == 1
        assert shown.count("to the errors") == 1
        assert "Your code printed, or was warned of" in shown and "\x1b" not in shown
        assert len(shown) < 13_000
    assert "<b>" not in card._repr_html_()


def test_warnings_that_are_errors_in_the_notebook_are_none_in_a_check() -> None:
    def causal_mask(n: int) -> Tensor:
        warnings.warn("take care", stacklevel=1)
        return right(n)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        before = list(warnings.filters)
        assert "causal_mask: passed" in repr(grader.check(causal_mask))
        assert warnings.filters == before


# What a check leaves behind: nothing.


def test_the_kernel_is_left_as_it_was() -> None:
    import matplotlib.pyplot as plt  # takes a second, in each process that collects tests

    def causal_mask(n: int) -> Tensor:
        torch.manual_seed(n)
        random.seed(n)
        numpy.random.seed(n)
        torch.set_default_dtype(torch.float64)
        torch.set_default_device("meta")
        torch.set_grad_enabled(False)
        torch.set_num_threads(1)
        torch.use_deterministic_algorithms(True)
        warnings.simplefilter("error")
        sys.modules["json"] = sys
        sys.path.append("nowhere")
        sys.setrecursionlimit(5_000)
        os.environ["LEFT_BEHIND"] = "1"
        os.chdir("/")
        plt.figure()
        return torch.ones(n, n, device="cpu").tril().bool()

    def state() -> list[Any]:
        return [
            *(torch.get_rng_state().tolist(), random.getstate(), numpy.random.get_state()[1:]),
            *(torch.get_default_dtype(), torch.get_default_device(), torch.is_grad_enabled()),
            *(torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()),
            *(list(warnings.filters), warnings.showwarning, sys.modules["json"], list(sys.path)),
            *(sys.getrecursionlimit(), dict(os.environ), os.getcwd(), plt.get_fignums()),
            *(sys.stdout, sys.stderr, getattr(sys, "last_value", None), sys.gettrace()),
        ]

    plt.figure()
    before = repr(state())
    for mask in (causal_mask, lambda n: 1 / 0, loops):
        checked(mask, 1.0)  # type: ignore[arg-type]
        assert repr(state()) == before
    plt.close("all")


def test_what_code_sets_for_all_tensors_spoils_no_check_after_it() -> None:
    def causal_mask(n: int) -> Tensor:
        torch.set_default_device("meta")
        return torch.ones(n, n, device="cpu").triu().bool()

    for _ in range(2):
        card = checked(causal_mask, 1.0)
        assert [found.id for found in card.mark.diagnosis] == ["upper"]


@pytest.mark.parametrize(
    "around",
    [
        lambda: torch.device("meta"),
        torch.no_grad,
        torch.inference_mode,
        lambda: torch.autograd.set_detect_anomaly(True),
        lambda: torch.set_grad_enabled(False),
    ],
)
def test_what_stands_around_a_check_has_no_say_in_it(around: Callable[[], Any]) -> None:
    names: dict[str, Any] = {}
    exec("import torch\nfrom torch import Tensor\n" + reference_text("softmax"), names)
    dtype, device = torch.get_default_dtype(), torch.get_default_device()
    torch.set_default_dtype(torch.float64)
    try:
        with around():
            inside = torch.get_default_device(), torch.is_grad_enabled()
            assert "softmax: passed" in repr(grader.check(names["softmax"]))
            assert (torch.get_default_device(), torch.is_grad_enabled()) == inside
    finally:
        torch.set_default_dtype(dtype)
    assert torch.get_default_device() == device


SCORES = """
class AdditiveScores(torch.nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        sizes = ((query_dim, hidden_dim), (key_dim, hidden_dim), (hidden_dim, 1))
        self.maps = torch.nn.ModuleList(
            torch.nn.Linear(*size, bias=False, device=device) for size in sizes
        )

    def forward(self, query, key):
        query, key = (part.to(device) for part in (query, key))
        hidden = self.maps[0](query)[:, :, None] + self.maps[1](key)[:, None]
        return self.maps[2](torch.tanh(hidden)).squeeze(-1)
"""


@pytest.mark.parametrize("device", [torch.device("meta"), torch.device("cuda", 1), "cuda", "mps:0"])
def test_code_that_wants_an_accelerator_is_checked_where_there_is_none(device: Any) -> None:
    names = {"device": device, "torch": torch}
    exec(SCORES, names)
    asked = torch.cuda.is_available
    assert "AdditiveScores: passed" in repr(grader.check(names["AdditiveScores"]))
    assert names["device"] is device and torch.cuda.is_available is asked


# What the reference lends.


def lent_ways(name: str) -> dict[str, Any]:
    lent = reference(name)
    ways: dict[str, Any] = {"itself": lent}
    if isinstance(lent, type):
        ways["subclassed"] = type(name, (lent,), {})
        ways["made by a function"] = lambda *a, **k: lent(*a, **k)
    else:
        ways["wrapped"] = lambda *a, **k: lent(*a, **k)
        ways["a method"] = type("Holder", (), {"__call__": lambda _, *a, **k: lent(*a, **k)})()
    for way in ways.values():
        way.__name__ = name
    return ways


@pytest.mark.parametrize("name", ["softmax", "causal_mask", "MultiHeadAttention", "split_words"])
def test_what_is_lent_is_not_marked(name: str) -> None:
    code = reference(name).__init__ if isinstance(reference(name), type) else reference(name)
    before = code.__code__
    for way, thing in lent_ways(name).items():
        assert "Nothing was marked" in repr(grader.check(thing)), way
    assert name not in api._memory.checked
    assert code.__code__ is before


def test_a_debugger_may_look_into_what_is_lent() -> None:
    """It reads the names of each call, `__class__` among them where `super()` is called."""
    seen: dict[str, Any] = {}

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename == inspect.getfile(reference("CrossAttention")):
            seen.update(frame.f_locals)
            return look
        return None

    sys.settrace(look)
    try:
        grader.check(reference("CrossAttention"))
    finally:
        sys.settrace(None)
    assert seen["__class__"] is reference("CrossAttention")


def test_no_exercise_written_by_oneself_is_taken_for_a_lent_one() -> None:
    """Beside lent earlier ones, the same code in another place is the learner's own."""
    by_kind = {
        (each.kind, bool(each.uses), each.name.startswith("spot_")): each
        for each in syllabus().exercises
    }
    assert len(by_kind) > 6
    for exercise in by_kind.values():
        module = sys.modules[reference(exercise.name).__module__]
        names = dict(vars(module))
        exec(reference_text(exercise.name), names)
        result = check_in_kernel(exercise.name, names[exercise.name])
        assert (result.mark.verdict, result.is_lent) == ("passed", False), exercise.name
