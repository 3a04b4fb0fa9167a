"""The worker's recorder hears of ready-made operators and layers, and changes none of them."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import torch
from torch import nn

from grader.curriculum.syllabus import syllabus
from grader.submission.shortcuts import by_operators
from grader.wall import answer_forms
from grader.wall.transport import ProtocolError
from tests.services import construct, loaded

# Each in a process of its own, as nothing that is installed can be taken away again.
RUN = """
import inspect, json, sys, threading, warnings
warnings.simplefilter("ignore")
import torch
import torch.nn.functional as F
import torch._refs
from torch import nn
from torch.distributions import Categorical, SoftmaxTransform
torch.manual_seed(0)
X = torch.randn(2, 3, 8, requires_grad=True)
D = X.detach()
HEADS = nn.MultiheadAttention(8, 2, batch_first=True)
ENCODER = nn.TransformerEncoderLayer(8, 2, 16, 0.0, batch_first=True)
OP, KEY = torch.ops.aten._softmax.default, torch._C.DispatchKey.CPU
KEYS = torch._C.DispatchKeySet(KEY)
FORCED = torch._C._ForceDispatchKeyGuard(KEYS, torch._C.DispatchKeySet.from_raw_repr(0))
DECODER = nn.TransformerDecoderLayer(8, 2, 16, 0.0, batch_first=True)
before = HEADS(X, X, X)[0], ENCODER(X), DECODER(X, X)
from grader.worker import recorder
recorder.install()
after = HEADS(X, X, X)[0], ENCODER(X), DECODER(X, X)
assert all(map(torch.equal, before, after))
assert "need_weights" in inspect.signature(nn.MultiheadAttention.forward).parameters
scripted = torch.jit.script(HEADS)
assert torch.allclose(scripted(X, X, X)[0], before[0], atol=1e-6)
assert "torch.nn.modules.activation.MultiheadAttention" in set(recorder.readymade.kinds(scripted))
recorder.forget(scripts=True)
heard = {}
for name, code in json.load(sys.stdin).items():
    recorder.forget(scripts=True)
    thread = threading.Thread(target=eval, args=(code, globals()))
    thread.start()
    thread.join()
    heard[name] = recorder.seen()
print(json.dumps(heard))
"""

# The exercise, and what a thread runs.
HEARD = {
    "masked softmax": ("softmax", "torch._masked_softmax(X, torch.zeros_like(X).bool(), -1)"),
    "safe softmax": ("softmax", "torch._safe_softmax(X, -1)"),
    "sparse softmax": ("softmax", "torch.sparse.softmax(X.to_sparse(), -1)"),
    "softmax into": ("softmax", "torch.softmax(D, -1, out=torch.empty(2, 3, 8))"),
    "softmax's gradient": ("softmax", "torch._softmax_backward_data(D, D, -1, D.dtype)"),
    "distribution": ("softmax", "Categorical(logits=X)"),
    "transform": ("softmax", "SoftmaxTransform()(X)"),
    "probabilities": ("cross_entropy", "Categorical(logits=X).log_prob(torch.ones(2, 3))"),
    "instance norm": ("LayerNorm", "F.instance_norm(X)"),
    "group norm": ("LayerNorm", "F.group_norm(X, 3)"),
    "rms norm": ("LayerNorm", "F.rms_norm(X - X.mean(-1, keepdim=True), (8,))"),
    "tokens as channels": ("LayerNorm", "F.batch_norm(X[:1], None, None, training=True)"),
    "native batch norm": (
        "LayerNorm",
        "torch.native_batch_norm(X[:1], None, None, None, None, True, 0.0, 1e-5)",
    ),
    "response norm": ("LayerNorm", "F.local_response_norm(X, 17, alpha=17 / 8, beta=0.5, k=1e-5)"),
    "response norm's layer": ("LayerNorm", "nn.LocalResponseNorm(17)(X)"),
    "divergence": ("cross_entropy", "F.kl_div(X.log_softmax(-1), D.softmax(-1))"),
    "divergence's layer": ("cross_entropy", "nn.KLDivLoss()(X, X.detach().abs())"),
    "alignments": (
        "cross_entropy",
        "F.ctc_loss(X[:, :1].mT.log_softmax(-1), torch.ones(1, 1).long(), [1], [1])",
    ),
    "gelu in place": ("gelu", "torch._C._nn.gelu_(D.clone())"),
    "gelu's gradient": ("gelu", "torch.ops.aten.gelu_backward(D, D)"),
    "fused gelu": ("gelu", "torch._addmm_activation(D[0], D[0], torch.eye(8), use_gelu=True)"),
    "heads": ("MultiHeadAttention", "HEADS(X, X, X)"),
    "heads past hooks": ("MultiHeadAttention", "nn.MultiheadAttention.forward(HEADS, X, X, X)"),
    "encoder layer": ("TransformerEncoderLayer", "ENCODER(X)"),
    "decoder layer": ("TransformerDecoderLayer", "DECODER(X, X)"),
    "encoder": ("TransformerEncoder", "nn.TransformerEncoder(ENCODER, 1)(X)"),
    **{
        f"hidden: {code}": ("softmax", code)
        for code in (
            "getattr(torch, 'soft' + 'max')(X, -1)",
            "getattr(torch, ''.join(['soft', 'max']))(X, -1)",
            "getattr(torch, '{}max'.format('soft'))(X, -1)",
            "getattr(torch, '%smax' % 'soft')(X, -1)",
            "getattr(torch, 'xamtfos'[::-1])(X, -1)",
            "getattr(torch, 'SOFTMAX'.lower())(X, -1)",
            "getattr(torch, b'softmax'.decode())(X, -1)",
            "getattr(torch, chr(115) + 'oftmax')(X, -1)",
            "torch.__dict__['softmax'](X, -1)",
            "vars(torch).get('softmax')(X, -1)",
            "torch.__getattribute__('softmax')(X, -1)",
            "__import__('operator').attrgetter('nn.functional.softmax')(torch)(X, -1)",
            "__import__('operator').methodcaller('softmax', -1)(X)",
            "sys.modules['torch'].softmax(X, -1)",
            "eval('torch.softmax')(X, -1)",
            "exec('import torch; y = torch.softmax(X, -1)')",
            'eval(\'eval("torch.soft" + "max")\')(X, -1)',
            "getattr(torch, ''.join(map(chr, (115, 111, 102, 116, 109, 97, 120))))(X, -1)",
        )
    },
    "below what hears of heads": (
        "MultiHeadAttention",
        "__import__('inspect').unwrap(F.multi_head_attention_forward)("
        "*[X.mT] * 3, 3, 1, *[torch.eye(9, 3), torch.ones(9), None, None, False, 0.0], "
        "torch.eye(3), None)",
    ),
    "below what hears of a copy": (
        "LayerNorm",
        "__import__('inspect').unwrap(torch._refs.native_layer_norm)(D, [8], None, None, 1e-5)",
    ),
    **{
        f"by a key: {code}": ("softmax", code)
        for code in (
            "OP.redispatch(KEYS, D, -1, False)",
            "OP._handle.redispatch_boxed(KEYS, D, -1, False)",
            "OP._op_dk(KEY, D, -1, False)",
            "torch._C._get_operation_overload(OP.name(), '')[1](KEY, D, -1, False)",
            "torch.library.get_kernel(OP.name(), 'CPU').call_boxed(KEYS, D, -1, False)",
            "FORCED.__enter__(), OP(D, -1, False), FORCED.__exit__(None, None, None)",
        )
    },
    "a layer by a key": (
        "LayerNorm",
        "torch.ops.aten.native_layer_norm.default.redispatch(KEYS, D, [8], None, None, 1e-5)",
    ),
    "mapped": ("LayerNorm", "torch.vmap(lambda x: torch.ops.aten.rms_norm(x, [8], None, 1e-5))(D)"),
    "mapped, of two": (
        "cross_entropy",
        "torch.vmap(torch.ops.aten.binary_cross_entropy_with_logits)(D, D)",
    ),
    **{
        f"read by {thing}": (
            "MultiHeadAttention",
            f"torch._sources.get_source_lines_and_file({thing})",
        )
        for thing in (
            "F.multi_head_attention_forward.__code__",
            "F.multi_head_attention_forward.__code__.replace(co_name='mine')",
            "__import__('functools').wraps(F.multi_head_attention_forward)(lambda: 0)",
            "nn.MultiheadAttention",
            "F",
        )
    },
    "a piece of a copy": ("LayerNorm", "torch._refs._normalize(D, [2], 1e-5)"),
    "a pattern to be replaced": (
        "scaled_dot_product_attention",
        "__import__('torch._inductor.fx_passes.fuse_attention').__dict__ and "
        "torch._inductor.fx_passes.fuse_attention._sfdp_pattern_5(D, D, D, torch.zeros(1), 2.0)",
    ),
    "masked, by no family's name": ("masked_softmax", "torch.masked.amax(D, -1)"),
    "a method of another package": (
        "MultiHeadAttention",
        "torch.ao.nn.quantizable.MultiheadAttention(8, 2)._forward_impl(X, X, X)",
    ),
    "by no name": ("softmax", "torch.ao.nn.quantized.FloatFunctional().add(D, D)"),
    "both stacks": ("BertEncoder", "nn.Transformer(8, 2, 1, 1, 16, batch_first=True)(X, X)"),
}  # fmt: skip
QUIET = {
    "by hand": ("softmax", "(X - X.logsumexp(-1, keepdim=True)).exp()"),
    "normal": ("gelu", "X * torch.distributions.Normal(0.0, 1.0).cdf(X)"),
    "variance": ("LayerNorm", "X / (X.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()"),
    "normalised": ("LayerNorm", "nn.functional.normalize(X - X.mean(-1, keepdim=True), dim=-1)"),
    "masked where it is free": ("softmax", "torch.masked.amax(D, -1)"),
    "a copy of what is free": ("TransformerEncoder", "nn.LayerNorm(8).to('meta')(X.to('meta'))"),
    "other losses": ("cross_entropy", "F.gaussian_nll_loss(X, X, X.detach().abs() + 1)"),
    "smaller layers": ("TransformerEncoderLayer", "nn.LayerNorm(8)(HEADS(X, X, X)[0])"),
    "a layer in a stack": ("TransformerEncoder", "ENCODER(X)"),
    "softmax in heads": ("MultiHeadAttention", "F.scaled_dot_product_attention(X, X, X)"),
    "picked": ("cross_entropy", "-F.log_softmax(X[:, 0], -1).gather(1, torch.ones(2, 1).long())"),
}  # fmt: skip


@cache
def heard() -> dict[str, list[str]]:
    codes = {name: code for name, (_, code) in (HEARD | QUIET).items()}
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(codes),
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


@pytest.mark.parametrize("case", HEARD)
def test_what_is_ready_made_is_heard_in_every_thread(case: str) -> None:
    exercise, _ = HEARD[case]
    assert by_operators(heard()[case], syllabus()[exercise].forbidden)


@pytest.mark.parametrize("case", QUIET)
def test_what_is_allowed_is_not_held_against_anybody(case: str) -> None:
    exercise, _ = QUIET[case]
    assert by_operators(heard()[case], syllabus()[exercise].forbidden) == ()


MADE_OF = """
    import torch
    from torch import nn
    class Liar(type(nn.Module)):
        __mro__ = property(lambda cls: (cls,))
        __module__ = property(lambda cls: "nowhere")
    class Mine(nn.GRUCell, metaclass=Liar):
        def __getattribute__(self, name):
            return nn.Module if name == "__class__" else super().__getattribute__(name)
    class M(nn.Module):
        def __init__(self):
            super().__init__()
            self.mine = Mine(2, 2)
            self.kept = [nn.ModuleList([nn.Bilinear(2, 2, 2)])]
    """


def test_the_classes_that_a_module_is_made_of_are_told() -> None:
    """Registered or not, and whatever a metaclass says; the learner's own stay unnamed."""
    made = construct(loaded(MADE_OF))
    assert made["kinds"] == [
        "torch.nn.modules.module.Module",
        "torch.nn.modules.rnn.GRUCell",
        "torch.nn.modules.rnn.RNNCellBase",
        "torch.nn.modules.container.ModuleList",
        "torch.nn.modules.linear.Bilinear",
    ]


@pytest.mark.parametrize("kinds", ["torch.nn.Linear", [1], ["x" * 5_000], ["x"] * 1_000, None])
def test_names_of_classes_are_checked_at_the_wall(kinds: object) -> None:
    made = construct(loaded(MADE_OF))
    answer_forms.check("construct", {"ok": made})
    with pytest.raises(ProtocolError):
        answer_forms.check("construct", {"ok": made | {"kinds": kinds}})


def test_a_class_of_another_library_is_known_by_its_name() -> None:
    forbidden = syllabus()["BertEncoder"].forbidden
    [seen] = by_operators(["transformers.models.bert.modeling_bert.BertEncoder"], forbidden)
    assert seen.name == "transformers.models.*Encoder"
    [part] = by_operators(["transformers.models.bert.modeling_bert.BertLayer"], forbidden)
    assert part.name == "transformers.models.*"


def test_no_exercise_is_another_librarys_own_model() -> None:
    """Behind the wall these packages can be imported, for what stands around the exercises."""
    for exercise in syllabus().exercises:
        assert {"transformers.models.*", "sentence_transformers.*"} <= set(exercise.forbidden)


def test_every_ready_made_layer_of_pytorch_is_forbidden_somewhere() -> None:
    """A new kind of attention or transformer in PyTorch shall not be forgotten here."""
    forbidden = {name for exercise in syllabus().exercises for name in exercise.forbidden}
    for kind in vars(nn).values():
        if isinstance(kind, type) and issubclass(kind, nn.Module):
            name = f"{kind.__module__}.{kind.__qualname__}"
            if any(word in name for word in ("Transformer", "Attention", "Softm", "GELU", "Norm")):
                known = ("LocalResponseNorm",)
                assert name.endswith(known) or by_operators([name], forbidden), name


def test_the_operators_of_the_registry_betray_what_they_are() -> None:
    """Families of names, and not a list from memory."""
    forbidden = {name for exercise in syllabus().exercises for name in exercise.forbidden}
    names = [name for name in torch._C._dispatch_get_all_op_names() if name.startswith("aten::")]
    words = ("softmax", "gelu", "layer_norm", "group_norm", "instance_norm")
    named = [name for name in names if any(word in name for word in words)]
    assert len(named) > 40
    assert [name for name in named if not by_operators([name], forbidden)] == []
