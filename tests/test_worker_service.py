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
        ("return [1 / x[0, 0].clamp(min=0).item()]", "others_first", [1]),
    ],
)
def test_tensors_may_lie_otherwise_or_hold_other_numbers_first(
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


_CHANGES = {"skip": [], "texts": [], "lines": None}


def _changed(service: Service, given: object, most: int = 32) -> list[dict[str, Any]]:
    """What the next changes to `f` answer to one call."""
    ask = {"op": "call", "payload": {"target": {"name": "f"}, "args": (given,), "kwargs": {}}}
    wanted = {"exercise": "f", "asks": [ask], "most": most, **_CHANGES}
    edits: list[dict[str, Any]] = service.handle("alter", wanted)["ok"]["edits"]
    return edits


def test_changes_are_asked_one_after_the_other_and_one_may_be_chosen() -> None:
    service = loaded("def f(x):\n    return x + 2")
    edits = _changed(service, 3)
    made = [each["answers"][0].get("ok", {}).get("value") for each in edits]
    assert service.handle("choose", {"index": made.index(6)}) == {"ok": {}}  # three, not two
    assert value(service, 5) == 8
    assert _changed(service, 3, most=0) == []
    assert value(service, 5) == 7


def test_a_change_gets_little_memory_and_the_code_as_it_is_has_its_own() -> None:
    service = loaded(
        """
        import torch
        def f(n):
            return torch.ones(n - 2**28 + 6).sum().item()
        """
    )
    errors = [row["answers"][0].get("error", {}) for row in _changed(service, 2**28)]
    assert any("memory" in str(each.get("message")) for each in errors)
    _changed(service, 0, most=0)
    assert value(service, 2**28 + 2**26) > 2**26 - 100  # 256 MB and a bit


ENDLESS = {
    "a loop": """
        def f(n):
            done = 0
            while done < n:
                done += 1
            return done
        """,
    "a helper's loop": """
        def counted(n):
            done = 0
            while done != n:
                done += 1
            return done
        def f(n):
            return counted(n)
        """,
    "a list's": """
        def f(n):
            return [one for one in range(n * 10**5)][-1] + 1 - n * 10**5 + n
        """,
    "calls": """
        def f(n):
            return n if n < 2 else f(n - 1) + f(n - 2)
        """,
}


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_change_that_never_ends_is_stopped(source: str) -> None:
    service = loaded(source)
    before = value(service, 4)
    answers = [each["answers"][0] for each in _changed(service, 24, most=100)]
    stopped = [each for each in answers if each.get("error", {}).get("type") == "BaseException"]
    assert stopped
    assert len(stopped) < len(answers)
    _changed(service, 0, most=0)
    assert value(service, 4) == before


def test_objects_of_a_class_are_its_own_after_a_change() -> None:
    service = loaded(
        """
        class Counter:
            def each(self):
                return [one for one in range(2)]
        counter = Counter()
        def f(n):
            assert isinstance(counter, Counter)
            return len(counter.each()) + n + 1
        """
    )
    answers = [row["answers"][0].get("ok", {}).get("value") for row in _changed(service, 3)]
    assert 4 in answers  # with n - 1


def test_what_changes_work_with_stays_what_it_was() -> None:
    service = loaded(
        """
        made = []
        def each(n):
            "How many there are."
            made.append(n)
            return [one for one in range(n)]
        def f(n):
            return len(each(n)), each.__doc__, len(made)
        """
    )
    assert value(service, 2) == (2, "How many there are.", 1)
    changed = [row["answers"][0].get("ok", {}).get("value") for row in _changed(service, 3)]
    assert any(each and each[:2] == (4, "How many there are.") for each in changed)
    _changed(service, 0, most=0)
    assert value(service, 2)[:2] == (2, "How many there are.")
