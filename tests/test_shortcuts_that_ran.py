"""PyTorch's operators betray ready-made functions, really traced, and never a building block."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from grader.curriculum.syllabus import syllabus
from grader.submission.shortcuts import Shortcut, by_operators
from grader.worker.readymade import FAMILIES

SOFTMAX = syllabus()["softmax"].forbidden


class Recorder(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


X = torch.arange(48.0).reshape(2, 3, 8) / 48
MASK = torch.ones(3, 3, dtype=torch.bool)
LABELS = torch.tensor([1, 0])
LOGITS = X[:, 0]
HEADS = nn.MultiheadAttention(8, 2, batch_first=True).eval()
ATTENTION = "scaled_dot_product_attention"
LAYER = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True).eval()

BETRAYED: dict[str, tuple[str, Callable[[], object]]] = {
    "softmax": ("softmax", lambda: X.softmax(-1)),
    "functional softmax": ("softmax", lambda: F.softmax(X, -1, dtype=torch.float64)),
    "softmin": ("softmax", lambda: nn.Softmin(-1)(X)),
    "special softmax": ("softmax", lambda: torch.special.softmax(X, -1)),
    "aten softmax": ("softmax", lambda: torch.ops.aten._softmax(X, -1, False)),
    "masked softmax": ("softmax", lambda: torch.masked.softmax(X, -1)),
    "private": ("softmax", lambda: torch._masked_softmax(X, torch.zeros_like(X).bool(), -1)),
    "safe softmax": ("softmax", lambda: torch._safe_softmax(X, -1)),
    "sparse softmax": ("softmax", lambda: torch.sparse.softmax(X.to_sparse(), -1)),
    "shown alone, by sparse": ("masked_softmax", lambda: torch.sparse.softmax(X.to_sparse(), -1)),
    "shown alone, its log": ("masked_softmax", lambda: torch.sparse.log_softmax(X.to_sparse(), -1)),
    "shown alone": ("masked_softmax", lambda: torch._masked_softmax(X, X > 0.5, -1)),
    "log-softmax": ("softmax", lambda: F.log_softmax(X, -1)),
    "softmax by cross-entropy": ("softmax", lambda: F.cross_entropy(LOGITS, LABELS)),
    "softmax by attention": ("softmax", lambda: F.scaled_dot_product_attention(X, X, X)),
    "attention": (ATTENTION, lambda: F.scaled_dot_product_attention(X[None], X[None], X[None])),
    "masked": (ATTENTION, lambda: F.scaled_dot_product_attention(X, X, X, attn_mask=MASK)),
    "with dropout": (ATTENTION, lambda: F.scaled_dot_product_attention(X, X, X, dropout_p=0.1)),
    "heads": (ATTENTION, lambda: HEADS(X, X, X, need_weights=False)),
    "encoder layer": (ATTENTION, lambda: LAYER(X)),
    "layer norm": ("LayerNorm", lambda: F.layer_norm(X, (8,))),
    "group norm": ("LayerNorm", lambda: F.group_norm(X, 3)),
    "gelu": ("gelu", lambda: F.gelu(X)),
    "gelu by tanh": ("gelu", lambda: nn.GELU("tanh")(X)),
    "cross-entropy": ("cross_entropy", lambda: F.cross_entropy(LOGITS, LABELS)),
    "negative log-likelihood": ("cross_entropy", lambda: F.nll_loss(LOGITS, LABELS)),
}
MODES = [torch.enable_grad, torch.no_grad, torch.inference_mode]


def operators(call: Callable[[], object], mode: type = torch.enable_grad) -> list[str]:
    with mode(), Recorder() as recorder:
        call()
    return recorder.names


@pytest.mark.parametrize("case", BETRAYED)
@pytest.mark.parametrize("mode", MODES)
def test_operators_betray_ready_made_functions(case: str, mode: type) -> None:
    exercise, call = BETRAYED[case]
    seen = by_operators(operators(call, mode), syllabus()[exercise].forbidden)
    assert seen
    assert all(each.line is None and each.label.startswith("aten.") for each in seen)


def test_the_plainest_name_is_given() -> None:
    assert by_operators(["aten.add.Tensor", "aten._softmax.default"], SOFTMAX) == (
        Shortcut("torch.softmax", "aten._softmax.default", None),
    )
    copies = ["torch.testing._internal.common_nn::nllloss_reference"]  # named like a module
    assert by_operators(filter(FAMILIES.search, copies), syllabus()["cross_entropy"].forbidden)
    masked = by_operators(["torch.masked._ops::softmax"], syllabus()["masked_softmax"].forbidden)
    assert [each.name for each in masked] == ["torch.masked.*"]
    [log] = by_operators(["aten::_log_softmax"], SOFTMAX)
    assert str(log) == "torch.log_softmax (aten::_log_softmax)"


def test_fast_paths_of_whole_layers() -> None:
    seen = by_operators(
        operators(lambda: LAYER(X), torch.inference_mode), ["torch.nn.Transformer*"]
    )
    assert [each.name for each in seen] == ["torch.nn.Transformer*"]
    forbidden = syllabus()["MultiHeadAttention"].forbidden
    seen = by_operators(operators(lambda: HEADS(X, X, X), torch.inference_mode), forbidden)
    assert [each.name for each in seen] == ["torch.nn.MultiheadAttention"]


def test_backward_operators_betray_too() -> None:
    x = X.clone().requires_grad_()
    seen = operators(lambda: torch.autograd.grad(x.softmax(-1).square().sum(), x))
    assert "aten._softmax_backward_data.default" in seen
    assert by_operators(["aten._softmax_backward_data.default"], SOFTMAX)


def test_what_runs_chooses_neither_the_order_of_the_names_nor_many_of_them() -> None:
    """Beside a lent reference, code could tell its text by these."""
    for exercise in syllabus().exercises:
        names = [name for name in exercise.forbidden if "*" not in name]
        told = [by_operators(ran, exercise.forbidden) for ran in (names, names[::-1])]
        assert [each.name for each in told[0]] == [each.name for each in told[1]]
        assert len(told[0]) <= 3


FREE: dict[str, Callable[[], object]] = {
    "exp": lambda: X.exp() / X.exp().sum(-1, keepdim=True),
    "max-shift": lambda: (X - X.amax(-1, keepdim=True)).exp(),
    "max": lambda: X.max(-1),
    "logsumexp": lambda: (X - torch.logsumexp(X, -1, keepdim=True)).exp(),
    "logcumsumexp": lambda: torch.logcumsumexp(X, -1),
    "logaddexp": lambda: torch.logaddexp(X, X),
    "sigmoid": lambda: torch.sigmoid(X),
    "logsigmoid": lambda: F.logsigmoid(X),
    "normalize": lambda: F.normalize(X.exp(), p=1, dim=-1),
    "matmul": lambda: X @ X.mT,
    "bmm": lambda: torch.bmm(X, X.mT),
    "baddbmm": lambda: torch.baddbmm(X @ X.mT, X, X.mT),
    "einsum": lambda: torch.einsum("bqd,bkd->bqk", X, X),
    "masked_fill": lambda: X.masked_fill(X > 0.5, float("-inf")),
    "where": lambda: torch.where(X > 0.5, X, float("-inf")),
    "linear": lambda: nn.Linear(8, 4)(X),
    "conv": lambda: nn.Conv1d(3, 4, 1)(X),
    "dropout": lambda: F.dropout(X),
    "erf": lambda: X * torch.erf(X),
    "tanh": lambda: torch.tanh(X),
    "var_mean": lambda: torch.var_mean(X, -1, correction=0),
    "std_mean": lambda: torch.std_mean(X, -1),
    "rsqrt": lambda: torch.rsqrt(X + 1),
    "gather": lambda: LOGITS.gather(1, LABELS[:, None]),
    "one-hot": lambda: F.one_hot(LABELS, 4),
    "cumsum": lambda: X.cumsum(-1),
    "tril": lambda: torch.ones(3, 3).tril(),
    "relu": lambda: F.relu(X),
    "pad": lambda: F.pad(X, (0, 1)),
    "cdist": lambda: torch.cdist(X, X),
    "cosine": lambda: F.cosine_similarity(X, X, -1),
    "bilinear": lambda: nn.Bilinear(8, 8, 2)(X, X),
    "embedding": lambda: nn.Embedding(4, 3)(LABELS),
}


@pytest.mark.parametrize("case", FREE)
@pytest.mark.parametrize("mode", MODES)
def test_building_blocks_betray_nothing(case: str, mode: type) -> None:
    forbidden = {name for exercise in syllabus().exercises for name in exercise.forbidden}
    assert by_operators(operators(FREE[case], mode), forbidden) == ()


def test_softmax_is_free_where_it_is_not_the_exercise() -> None:
    ran = operators(lambda: F.softmax(X @ X.mT, -1) @ X)
    forbidden = syllabus()["scaled_dot_product_attention"].forbidden
    assert by_operators(ran, forbidden) == ()
