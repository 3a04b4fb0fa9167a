"""What a learner returns, and what of it crosses."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch import Tensor

from grader.worker.protocol import encode
from grader.worker.values import Opaque
from tests.services import call, loaded, value


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
        (
            "[torch.zeros(2**20), torch.zeros(2**20 + 1)]",
            Opaque("list (it holds 9 MB of tensors; at most 8 MB are read)"),
        ),
        (
            "torch.zeros(1).expand(10**12)",
            Opaque("Tensor (it holds 3,814,698 MB of tensors; at most 8 MB are read)"),
        ),
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


_VMAP = "torch._C._functorch"
VMAPPED = f"{_VMAP}._add_batch_dim(x, 0, {_VMAP}._vmap_increment_nesting(2, 'error'))"
FAKE = "__import__('torch._subclasses', fromlist='x').FakeTensorMode().from_tensor(x)"


@pytest.mark.parametrize(
    ("made", "type_name"),
    [
        ("torch.nested.nested_tensor([x, x[:1]])", "Tensor (nested"),
        ("torch.nested.nested_tensor([x, x], layout=torch.jagged)", "NestedTensor (nested"),
        ("x.to_sparse_csr()", "Tensor (torch.sparse_csr"),
        ("x.to_mkldnn()", "Tensor (torch._mkldnn"),
        ("torch.quantize_per_tensor(x, 1.0, 0, torch.qint8)", "Tensor (quantised, of torch.qint8)"),
        ("torch.zeros(3, dtype=torch.uint8).view(torch.bits8)", "Tensor of torch.bits8"),
        ("x.to(torch.complex32)", "Tensor of torch.complex32"),
        ("x.to('meta')", "Tensor (torch.strided, on meta)"),
        ("torch._to_functional_tensor(x)", "Tensor (without memory of its own)"),
        ("torch.masked.masked_tensor(x, x > 0)", "MaskedTensor"),
        (FAKE, "FakeTensor"),
        (VMAPPED, "Tensor (one that vmap is at work on"),
    ],
)
@pytest.mark.parametrize("options", [{}, {"cotangent": torch.ones(2, 3)}, {"repeat": 2}])
@pytest.mark.filterwarnings("ignore")
def test_exotic_tensors_are_named_and_can_be_sent(
    made: str, type_name: str, options: dict[str, Any]
) -> None:
    service = loaded(f"import torch\ndef f(x):\n    return {made}\n")
    try:
        answer = call(service, torch.ones(2, 3), **options)
    finally:
        while torch._C._functorch.maybe_current_level():  # a vmap that nobody ends
            torch._C._functorch._vmap_decrement_nesting()
    encode(bytes(16), {"answer": answer})
    if "error" in answer:  # within a vmap, gradients cannot be asked for
        assert "vmap" in made and "cotangent" in options
        return
    got = answer["ok"]["value"]
    for each in got if isinstance(got, list) else [got]:
        assert isinstance(each, Opaque) and each.type_name.startswith(type_name)
