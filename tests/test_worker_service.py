"""The service that executes learner code, asked in this process: loading and calling."""

from __future__ import annotations

import inspect
import math
import sys
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.worker.answering import Service
from grader.worker.values import Callback, Config
from tests.counted import within
from tests.services import call, load, loaded, problem, value


def test_units_of_one_cell_share_its_source() -> None:
    service = Service()
    units = [
        {"code": "def g(x):\n    return x + 1\n", "label": "c", "line": 5},
        {"code": "def f(x):\n    return g(x)\n", "label": "c", "line": 1},
        {"code": "class K:\n    pass\n", "label": "d", "line": 1},
    ]
    assert service.handle("load", {"exercise": "f", "units": units}) == {"ok": {"left_out": []}}
    names = service._names.module.__dict__
    assert inspect.getsource(names["f"]) == "def f(x):\n    return g(x)\n"
    assert inspect.getsource(names["g"]) == "def g(x):\n    return x + 1\n"
    assert inspect.getsource(names["K"]) == "class K:\n    pass\n"


def test_torch_jit_script_dataclasses_and_future_annotations_work() -> None:
    service = loaded(
        """
        from __future__ import annotations
        import dataclasses, torch
        @dataclasses.dataclass
        class Box:
            x: Unknown | None = None
        @torch.jit.script
        def f(x):
            return x + 1
        """
    )
    assert torch.equal(value(service, torch.ones(2)), torch.full((2,), 2.0))


def test_loading_again_forgets_what_was_there() -> None:
    service = loaded("secret = 1\ndef f(): return secret")
    before = service._names.module.__name__
    assert load(service, "def f(): return secret") == {"ok": {"left_out": []}}
    assert problem(service)["type"] == "NameError"
    assert before not in sys.modules


def test_a_harness_runs_in_the_learners_module_and_is_not_shown() -> None:
    service = Service()
    units = [{"code": "def f(x):\n    return x / 0\n", "label": "c", "line": 1}]
    harness = "def twice(x):\n    return f(x) + f(x)\n"
    service.handle("load", {"exercise": "f", "units": units, "harness": harness})
    assert [f["function"] for f in problem(service, 1, name="twice")["frames"]] == ["f"]


def test_gradients_of_arguments_and_what_does_not_flow() -> None:
    service = loaded("def f(a, b, mask):\n    return (a * 3 + b.detach()).masked_fill(mask, 0)")
    cotangent = torch.tensor([1.0, 10.0])
    mask = torch.tensor([False, True])
    got = call(service, torch.ones(2), torch.ones(2), mask, cotangent=cotangent)["ok"]
    assert got["grads"][0].tolist() == [3.0, 0.0] and got["grads"][1] is None
    assert len(got["grads"]) == 2
    plain = call(service, torch.ones(2), torch.ones(2), mask)["ok"]
    assert plain["grads"] is None and plain["parameter_grads"] is None


def test_gradients_need_an_output_of_the_cotangents_shape() -> None:
    service = loaded("def f(x):\n    return x.sum()")
    got = call(service, torch.ones(2), cotangent=torch.ones(2))["ok"]
    assert got["grads"] is None and got["value"] == 2
    detached = loaded("def f(x):\n    return x.detach()")
    got = call(detached, torch.ones(2), cotangent=torch.ones(2))["ok"]
    assert got["grads"] == [None]


@pytest.mark.parametrize("cotangent", [None, torch.ones(2)])
@pytest.mark.parametrize(
    ("body", "mutated"),
    [
        ("y = x * 1", []),
        ("x += 1", [1]),
        ("x.mul_(1)", []),
        ("x[0] = float('nan')", [1]),
        ("i[0] = 5", [0]),
        ("x.unsqueeze_(0)", [1]),
        ("x.data.add_(1); i.add_(1)", [0, 1]),
        ("rows[1].append(0)", [2]),
        ("rows[1] = object()", [2]),
        ("rows.reverse(); rows.reverse()", []),
    ],
)
def test_changes_in_place_are_reported(
    body: str, mutated: list[int], cotangent: Tensor | None
) -> None:
    service = loaded(f"def f(i, x, rows):\n    {body}\n    return x * 2")
    x = torch.tensor([1.0, math.inf])
    got = call(service, torch.tensor([1, 2]), x, [[1, 2], [3]], cotangent=cotangent)["ok"]
    assert got["mutated"] == mutated
    assert x.tolist() == [1.0, math.inf]  # the examiner's own tensor never changes


@pytest.mark.parametrize(
    ("body", "how", "expected"),
    [
        ("return [x.is_contiguous(), x.tolist()]", "strided", [False, [[1, 2], [3, 4]]]),
        ("x.add_(1); return [x.stride(), x.sum()]", "strided", [(2, 4), 14]),
        (
            "kept.append(x.tolist()); return kept",
            "others_first",
            [[[-1.5, -2], [-0.5, -1]], [[1, 2], [3, 4]]],
        ),
        (
            "kept.append(x); return [kept[0] is x, kept[0].tolist()]",
            "others_first",
            [True, [[1, 2], [3, 4]]],
        ),
        ("x.unsqueeze_(0); return x.tolist()", "others_first", [[[1, 2], [3, 4]]]),
        ("return [x.requires_grad, x.tolist()]", "tracked", [True, [[1, 2], [3, 4]]]),
        ("return [1 / x[0, 0].clamp(min=0).item()]", "others_first", [1]),
    ],
)
def test_tensors_may_lie_otherwise_hold_other_numbers_first_or_require_gradients(
    body: str, how: str, expected: Any
) -> None:
    service = loaded(f"kept = []\ndef f(x):\n    {body}")
    assert value(service, torch.tensor([[1.0, 2.0], [3.0, 4.0]]), **{how: True}) == expected


def test_nan_that_stays_is_no_change() -> None:
    service = loaded("def f(x):\n    return x + 1")
    assert call(service, torch.tensor([math.nan, 1.0]))["ok"]["mutated"] == []


def test_operators_are_seen_whatever_they_are_called_by() -> None:
    code = """
        import torch
        def f(x, how):
            if how == 0: return getattr(torch, "soft" + "max")(x, -1)
            if how == 1: return torch.ops.aten._softmax(x, -1, False)
            return torch.nn.Softmax(-1)(x)
        """
    service = loaded(code)
    for how in range(3):
        assert "aten::_softmax" in call(service, torch.ones(3), how, trace=True)["ok"]["operators"]
    assert call(service, torch.ones(3), 0)["ok"]["operators"] == []


def test_seeds() -> None:
    service = loaded("import torch\ndef f(x):\n    return torch.rand(()) + x")
    one = torch.zeros(())
    assert value(service, one, seed=3) == value(service, one, seed=3)
    assert value(service, one, seed=3) != value(service, one, seed=4)


def test_meta_shows_tensors_made_on_the_wrong_device() -> None:
    right = loaded("import torch\ndef f(x):\n    return x + torch.zeros(3, device=x.device)")
    wrong = loaded("import torch\ndef f(x):\n    return torch.zeros(3).copy_(x) @ x")
    by_place = loaded("import torch\ndef f(x):\n    return x[torch.arange(3)]")  # works anywhere
    assert call(right, torch.ones(3), meta=True)["ok"]["value"] is None
    assert call(by_place, torch.ones(3), meta=True)["ok"]["value"] is None
    assert problem(wrong, torch.ones(3), meta=True)["where"] == "meta"


def test_configs_are_objects_with_helpful_errors() -> None:
    service = loaded("def f(c):\n    return c.hidden_size + c.get('x', 1) + len(c.to_dict())")
    assert value(service, Config({"hidden_size": 15})) == 17
    service = loaded("def f(c):\n    return c.hiden_size")
    assert "did you mean 'hidden_size'" in problem(service, Config({"hidden_size": 1}))["message"]


def test_callbacks_get_copies_and_their_errors_are_the_examiners() -> None:
    service = loaded("def f(g, x):\n    y = g(x, scale=2)\n    y += 1\n    return y")
    kept = []

    def double(x: Tensor, scale: int) -> Tensor:
        kept.append(x * scale)
        return kept[-1]

    assert value(service, Callback(1, double), torch.ones(2)).tolist() == [3, 3]
    assert kept[0].tolist() == [2, 2]

    def broken(x: Tensor, scale: int) -> Tensor:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        call(service, Callback(1, broken), torch.ones(2))


def test_keyboard_interrupt_is_for_the_kernel_in_process() -> None:
    service = loaded("def f():\n    raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        call(service)


@pytest.mark.parametrize(
    "made",
    [
        "functools.partial(pow, 2)",
        "lambda x: 2 ** x",
        "torch.jit.script(scripted)",
        "type('C', (), {'__call__': lambda self, x: 2 ** x})()",
        "staticmethod(lambda x: 2 ** x)",
    ],
)
def test_anything_callable_is_called(made: str) -> None:
    code = f"""
        import functools, torch
        def scripted(x: int) -> int:
            return 2 * 2 * 2
        f = {made}
        """
    assert value(loaded(code), 3) == 8


def test_a_live_object_is_used_as_it_is() -> None:
    calls = []

    def f(x: Tensor) -> Tensor:
        calls.append(x)
        if len(calls) > 1:
            raise ValueError("twice")
        return x + 1

    service = Service()
    service.bind({"f": f})
    assert value(service, torch.ones(1)) == 2
    found = problem(service, torch.ones(1))
    assert found["frames"][-1]["source"] == 'raise ValueError("twice")'
    assert found["frames"][-1]["label"] == "test_worker_service.py"


def test_a_simple_call_takes_a_few_hundred_steps() -> None:
    """Its time is for benchmarks/; here only that nothing slow has crept in."""
    service = loaded("def f(x):\n    return x")
    x = torch.ones(3)
    call(service, x)
    within(400, call, service, x)  # it takes 126
