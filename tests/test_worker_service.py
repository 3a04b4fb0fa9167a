"""The service that executes learner code, asked in this process."""

from __future__ import annotations

import inspect
import math
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.worker.service import Service
from grader.worker.values import Callback, Config, Handle, Opaque


def loaded(code: str, label: str = "03.ipynb, cell 4", line: int = 1) -> Service:
    """A service that holds `code`, which must load."""
    service = Service()
    assert load(service, code, label, line) == {"ok": {}}
    return service


def load(service: Service, code: str, label: str = "cell", line: int = 1) -> dict[str, Any]:
    units = [{"code": textwrap.dedent(code), "label": label, "line": line}]
    return service.handle("load", {"exercise": "f", "units": units, "harness": None})


def call(
    service: Service, *args: Any, name: str = "f", target: Any = None, **options: Any
) -> dict[str, Any]:
    """The whole answer to one call."""
    payload = {"target": target or {"name": name}, "args": args, "kwargs": {}, "options": options}
    return service.handle("call", payload)


def value(service: Service, *args: Any, **rest: Any) -> Any:
    return call(service, *args, **rest)["ok"]["value"]


def problem(service: Service, *args: Any, **rest: Any) -> dict[str, Any]:
    error: dict[str, Any] = call(service, *args, **rest)["error"]
    return error


def construct(service: Service, *args: Any, name: str = "M", seed: int = 0) -> dict[str, Any]:
    payload = {"name": name, "args": args, "kwargs": {}, "seed": seed}
    made: dict[str, Any] = service.handle("construct", payload)["ok"]
    return made


# ---- loading ------------------------------------------------------------------------------------


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
    assert service.handle("load", {"exercise": "f", "units": units}) == {"ok": {}}
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
    assert load(service, "def f(): return secret") == {"ok": {}}
    assert problem(service)["type"] == "NameError"
    assert before not in sys.modules


def test_a_harness_runs_in_the_learners_module_and_is_not_shown() -> None:
    service = Service()
    units = [{"code": "def f(x):\n    return x / 0\n", "label": "c", "line": 1}]
    harness = "def twice(x):\n    return f(x) + f(x)\n"
    service.handle("load", {"exercise": "f", "units": units, "harness": harness})
    assert [f["function"] for f in problem(service, 1, name="twice")["frames"]] == ["f"]


# ---- calling ------------------------------------------------------------------------------------


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


class _Odd:
    pass


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("None", None),
        ("(1, [2.5, 'é'], {'a': True, 3: None})", (1, [2.5, "é"], {"a": True, 3: None})),
        ("float('inf')", math.inf),
        ("torch.float16", torch.float16),
        ("torch.ones(2, 3).shape", (2, 3)),
        ("__import__('collections').namedtuple('P', 'x y')(1, 2)", (1, 2)),
        ("__import__('collections').OrderedDict(a=1)", {"a": 1}),
        ("{(1, 2): 3}", Opaque("dict with keys other than str and int")),
        ("{1.5}", Opaque("set")),
        ("object()", Opaque("object")),
        ("2**63", Opaque("int of more than 64 bits")),
        ("-2**63", -(2**63)),
        ("torch.ones(2).to_sparse()", Opaque("Tensor (torch.sparse_coo, on cpu)")),
        ("torch.ones(2, device='meta')", Opaque("Tensor (torch.strided, on meta)")),
        ("torch.ones(2, dtype=torch.complex128)", Opaque("Tensor of torch.complex128")),
        ("[torch.zeros(1)] * 2000", Opaque("list (more than 1,000 tensors)")),
        ("[0] * 200_000", Opaque("list (more than 100,000 parts)")),
        ("'x' * 10**6", Opaque("str (more than 500,000 characters)")),
        ("torch.zeros(1).expand(10**12)", Opaque("Tensor (more than 128 MiB of tensors)")),
        ("eval('[' * 60 + ']' * 60)", Opaque("list (nested more than 50 deep)")),
    ],
)
def test_what_crosses(code: str, expected: Any) -> None:
    assert value(loaded(f"import torch\ndef f():\n    return {code}\n")) == expected


@pytest.mark.parametrize(
    "made",
    [
        "torch.nn.Parameter(torch.ones(2, 3))",
        "torch.ones(2, 3, requires_grad=True) * 1",
        "torch.ones(2, 3).as_subclass(Liar)",
        "torch.ones(3, 2).T",
        "torch.ones(1, 3).expand(2, 3)",
        "torch.ones(2, 6)[:, ::2]",
        "torch.ones(2, 3, dtype=torch.complex64).conj()",
        "torch.ones(2, 3).as_strided((2, 3), (0, 0))",
        "torch.view_as_real(torch.zeros(2, 3, dtype=torch.cfloat).conj() - 1j).select(-1, 1) * -1",
    ],
)
def test_tensors_come_back_plain_dense_and_detached(made: str) -> None:
    code = f"""
        import torch
        class Liar(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                raise RuntimeError("not here")
        def f():
            return {made}
        """
    got = value(loaded(code))
    assert type(got) is Tensor and not got.requires_grad and got.is_contiguous()
    assert not got.is_conj() and not got.is_neg()
    assert got.shape == (2, 3) and bool((got == 1).all())


def test_tensors_given_out_are_copies() -> None:
    code = "import torch\nkept = torch.zeros(2)\ndef f():\n    kept.add_(1)\n    return kept"
    service = loaded(code)
    first, second = value(service), value(service)
    assert first.tolist() == [1, 1] and second.tolist() == [2, 2]
    first.fill_(7)
    assert value(service).tolist() == [3, 3]


def test_wrapper_subclasses_without_storage_are_opaque() -> None:
    code = """
        import torch
        class Ghost(torch.Tensor):
            @staticmethod
            def __new__(cls):
                return torch.Tensor._make_wrapper_subclass(cls, (2, 3))
            @classmethod
            def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
                return 3
        def f():
            return Ghost()
        """
    assert isinstance(value(loaded(code)), Opaque)


def test_gradients_of_arguments_and_what_does_not_flow() -> None:
    service = loaded("def f(a, b, mask):\n    return (a * 3 + b.detach()).masked_fill(mask, 0)")
    cotangent = torch.tensor([1.0, 10.0])
    mask = torch.tensor([False, True])
    got = call(service, torch.ones(2), torch.ones(2), mask, cotangent=cotangent)["ok"]
    assert got["grads"][0].tolist() == [3.0, 0.0] and got["grads"][1] is None
    assert got["requires_grad"] and len(got["grads"]) == 2
    plain = call(service, torch.ones(2), torch.ones(2), mask)["ok"]
    assert plain["grads"] is None and plain["parameter_grads"] is None
    assert not plain["requires_grad"]


def test_gradients_need_an_output_of_the_cotangents_shape() -> None:
    service = loaded("def f(x):\n    return x.sum()")
    got = call(service, torch.ones(2), cotangent=torch.ones(2))["ok"]
    assert got["grads"] is None and got["requires_grad"] and got["value"] == 2
    detached = loaded("def f(x):\n    return x.detach()")
    got = call(detached, torch.ones(2), cotangent=torch.ones(2))["ok"]
    assert got["grads"] == [None] and not got["requires_grad"]


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
    ],
)
def test_changes_in_place_are_reported(
    body: str, mutated: list[int], cotangent: Tensor | None
) -> None:
    service = loaded(f"def f(i, x):\n    {body}\n    return x * 2")
    x = torch.tensor([1.0, math.inf])
    got = call(service, torch.tensor([1, 2]), x, cotangent=cotangent)["ok"]
    assert got["mutated"] == mutated
    assert x.tolist() == [1.0, math.inf]  # the examiner's own tensor never changes


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


def test_seeds_and_repeats() -> None:
    service = loaded("import torch\ndef f(x):\n    return torch.rand(()) + x")
    one = torch.zeros(())
    assert value(service, one, seed=3) == value(service, one, seed=3)
    several = value(service, one, seed=3, repeat=3)
    assert several == [value(service, one, seed=seed) for seed in (3, 4, 5)]


def test_meta_shows_tensors_made_on_the_wrong_device() -> None:
    right = loaded("import torch\ndef f(x):\n    return x + torch.zeros(3, device=x.device)")
    wrong = loaded("import torch\ndef f(x):\n    return torch.zeros(3).copy_(x) @ x")
    assert call(right, torch.ones(3), meta=True)["ok"]["value"] is None
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


# ---- modules ------------------------------------------------------------------------------------

MODULE = """
    import torch
    from torch import nn
    class Head(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(size))
            self.register_buffer("here", torch.zeros(2))
            self.register_buffer("gone", torch.zeros(3), persistent=False)
    class M(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.heads = nn.ModuleList([Head(size), Head(size)])
            self.out = nn.Linear(size, size, bias=False)
            self.tied = self.out
            self.frozen = nn.Parameter(torch.zeros(1), requires_grad=False)
            self.secret = [nn.Linear(size, 1)]
            self.table = {"a": torch.ones(4)}
            self.dropout = nn.Dropout(0.5)
        def forward(self, x):
            return self.dropout(self.out(x))
        def other(self, x):
            return x + 1
    """


def test_a_module_is_described() -> None:
    made = construct(loaded(MODULE), 3)
    names = [row["name"] for row in made["parameters"]]
    assert names == ["frozen", "heads.0.scale", "heads.1.scale", "out.weight", "tied.weight"]
    by_name = {row["name"]: row for row in made["parameters"]}
    assert by_name["heads.0.scale"]["owners"] == [
        ["", "M"],
        ["heads", "ModuleList"],
        ["heads.0", "Head"],
    ]
    assert by_name["tied.weight"]["alias_of"] == "out.weight"
    assert by_name["out.weight"]["alias_of"] is None
    assert not by_name["frozen"]["requires_grad"]
    assert {(b["name"], b["persistent"]) for b in made["buffers"]} == {
        (f"heads.{i}.{name}", name == "here") for i in (0, 1) for name in ("here", "gone")
    }
    assert {"path": "tied", "class": "Linear", "same_as": "out"} in made["modules"]
    assert made["loose"] == [
        {"path": "secret[0]", "shape": [], "kind": "module"},
        {"path": "secret[0].weight", "shape": [1, 3], "kind": "parameter"},
        {"path": "secret[0].bias", "shape": [1], "kind": "parameter"},
        {"path": "table['a']", "shape": [4], "kind": "tensor"},
    ]
    assert made["is_module"]


def test_parameters_are_read_and_written() -> None:
    service = loaded(MODULE)
    handle = construct(service, 3)["handle"]
    new = {"out.weight": torch.eye(3), "secret[0].bias": torch.tensor([5.0])}
    assert service.handle("write", {"handle": handle, "values": new}) == {"ok": {}}
    read = service.handle("read", {"handle": handle})["ok"]["values"]
    assert torch.equal(read["tied.weight"], torch.eye(3)) and "secret[0].bias" not in read
    loose = service.handle("read", {"handle": handle, "loose": True})["ok"]["values"]
    assert loose["secret[0].bias"] == 5
    bad = service.handle("write", {"handle": handle, "values": {"out.weight": torch.ones(2)}})
    assert "out.weight has shape [3, 3]" in bad["error"]["message"]
    absent = service.handle("write", {"handle": handle, "values": {"q": torch.ones(2)}})
    assert "no parameter 'q'" in absent["error"]["message"]


def test_calling_a_module_gives_gradients_of_its_parameters() -> None:
    service = loaded(MODULE)
    target = {"handle": construct(service, 3)["handle"]}
    x = torch.ones(2, 3)
    got = call(service, x, target=target, train=False, cotangent=torch.ones(2, 3))["ok"]
    grads = got["parameter_grads"]
    assert set(grads) == {"frozen", "heads.0.scale", "heads.1.scale", "out.weight", "tied.weight"}
    assert torch.equal(grads["out.weight"], torch.full((3, 3), 2.0))
    assert torch.equal(grads["tied.weight"], grads["out.weight"])
    assert grads["frozen"] is None and grads["heads.0.scale"] is None
    dropped = call(service, x, target=target, train=True, seed=0)["ok"]["value"]
    assert bool((dropped == 0).any())
    assert value(service, x, target={**target, "method": "other"}).tolist() == (x + 1).tolist()
    assert call(service, x, target=target, meta=True)["ok"]["value"] is None


def test_sparse_gradients_come_back_dense() -> None:
    code = """
        from torch import nn
        class M(nn.Module):
            def __init__(self):
                super().__init__()
                self.e = nn.Embedding(5, 2, sparse=True)
            def forward(self, ids):
                return self.e(ids)
        """
    service = loaded(code)
    target = {"handle": construct(service)["handle"]}
    got = call(service, torch.tensor([1]), target=target, cotangent=torch.ones(1, 2))["ok"]
    assert got["parameter_grads"]["e.weight"].sum() == 2


def test_handles_and_optimizers_train_in_the_worker() -> None:
    code = """
        from torch import nn
        class M(nn.Linear):
            pass
        def f(model, optimizer, x):
            optimizer.zero_grad()
            loss = model(x).pow(2).mean()
            loss.backward()
            optimizer.step()
            return loss
        """
    service = loaded(code)
    model = construct(service, 2, 1)["handle"]
    payload = {"handle": model, "kind": "AdamW", "options": {"lr": 0.1}}
    optimizer = service.handle("optimizer", payload)["ok"]["handle"]
    losses = [value(service, Handle(model), Handle(optimizer), torch.ones(3, 2)) for _ in range(5)]
    assert losses[-1] < losses[0]


@pytest.mark.parametrize(
    "body",
    [
        "class M:\n    def __init__(self): self.w = torch.ones(2)",
        "class M(nn.Module):\n    def __getattr__(self, name): return self",
        "class M(nn.Module):\n    def __getattribute__(self, name): return None",
        "class M(nn.Module):\n    def named_parameters(self, *a, **k): 1 / 0",
        "class M(nn.Module):\n    def __init__(self): super().__init__(); self._modules = 3",
        "def M(): return nn.LazyLinear(2)",
        "class M(nn.Module):\n    def __init__(self):\n"
        "        super().__init__(); self.l = []; self.l.append(self.l); self.d = {1: self}",
        "def M(): return 3",
        "def M(): return nn.utils.parametrizations.weight_norm(nn.Linear(2, 2))",
        "def M(): return torch.jit.script(nn.Linear(2, 2))",
    ],
)
def test_odd_objects_are_described_without_falling_over(body: str) -> None:
    service = loaded(f"import torch\nfrom torch import nn\n{body}\n")
    made = construct(service)
    assert type(made["is_module"]) is bool
    assert "ok" in service.handle("read", {"handle": made["handle"]})


@pytest.mark.parametrize(
    ("body", "type_name"),
    [
        ("class M(nn.Module):\n    def __init__(self): self.l = nn.Linear(1, 1)", "AttributeError"),
        ("class M(nn.Module):\n    def __init__(self): raise SystemExit", "SystemExit"),
        ("def M(): m = nn.Module(); m.m = m; return m", "TooMany"),
        ("def M(): return nn.ModuleList([nn.Identity() for _ in range(3000)])", "TooMany"),
    ],
)
def test_constructors_that_fail_are_problems(body: str, type_name: str | None) -> None:
    service = loaded(f"from torch import nn\n{body}\n")
    answer = service.handle("construct", {"name": "M", "args": (), "kwargs": {}, "seed": 0})
    assert answer["error"]["where"] == "construct"
    assert type_name is None or answer["error"]["type"] == type_name


# ---- the kernel's own objects -------------------------------------------------------------------


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


def test_a_simple_call_takes_far_less_than_a_millisecond(
    record_property: Callable[[str, object], None],
) -> None:
    """The figure itself is for benchmarks/; here only that nothing slow has crept in."""
    service = loaded("def f(x):\n    return x")
    x = torch.ones(3)
    call(service, x)
    fastest = math.inf
    for _ in range(20):
        start = time.perf_counter()
        call(service, x)
        fastest = min(fastest, time.perf_counter() - start)
    record_property("seconds", fastest)
    assert fastest < 0.0005
