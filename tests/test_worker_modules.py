"""A learner's modules described, read, written, called and trained."""

from __future__ import annotations

import pytest
import torch

from tests.services import call, construct, loaded

MODULE = """
    import torch
    from torch import nn
    class Head(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(size))
            self.register_buffer("here", torch.zeros(2))
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
    """


def test_a_module_is_described() -> None:
    made = construct(loaded(MODULE), 3)
    names = [row["name"] for row in made["parameters"]]
    assert names == ["frozen", "heads.0.scale", "heads.1.scale", "out.weight", "tied.weight"]
    by_name = {row["name"]: row for row in made["parameters"]}
    assert by_name["tied.weight"]["alias_of"] == "out.weight"
    assert by_name["out.weight"]["alias_of"] is None
    assert not by_name["frozen"]["requires_grad"]
    assert made["loose"] == [
        {"path": "secret[0]", "shape": [], "kind": "module"},
        {"path": "secret[0].weight", "shape": [1, 3], "kind": "parameter"},
        {"path": "secret[0].bias", "shape": [1], "kind": "parameter"},
        {"path": "table['a']", "shape": [4], "kind": "tensor"},
        {"path": "heads.0.here", "shape": [2], "kind": "buffer"},
        {"path": "heads.1.here", "shape": [2], "kind": "buffer"},
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
        ("def M(): m = nn.Module(); m.m = m; return m", "ValueError"),
        ("def M(): return nn.ModuleList([nn.Identity() for _ in range(3000)])", "ValueError"),
    ],
)
def test_constructors_that_fail_are_problems(body: str, type_name: str | None) -> None:
    service = loaded(f"from torch import nn\n{body}\n")
    answer = service.handle("construct", {"name": "M", "args": (), "kwargs": {}, "seed": 0})
    assert answer["error"]["where"] == "construct"
    assert type_name is None or answer["error"]["type"] == type_name
