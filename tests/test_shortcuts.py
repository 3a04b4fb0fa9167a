"""Ready-made functions that stand in plain sight are found, and a learner's own never is."""

from __future__ import annotations

import inspect
import re

import pytest

from grader.curriculum.references import reference
from grader.curriculum.syllabus import syllabus
from grader.submission.shortcuts import Shortcut, find
from tests.shortcuts import NAMES, SOFTMAX, body, found
from tests.submitted import several

# The line on which it must be seen is 3 unless the case says otherwise.
SEEN = {
    "plainly": (body("return torch.softmax(x, dim)"), "torch.softmax"),
    "alias of torch": (body("return t.softmax(x, dim)", "import torch as t"), "torch.softmax"),
    "functional": (
        body("return F.softmax(x, dim)", "from torch.nn import functional as F"),
        "torch.nn.functional.softmax",
    ),
    "functional as a module": (
        body("return fn.softmax(x, dim)", "import torch.nn.functional as fn"),
        "torch.nn.functional.softmax",
    ),
    "dotted import": (
        body("return torch.nn.functional.softmax(x, dim)", "import torch.nn.functional"),
        "torch.nn.functional.softmax",
    ),
    "imported name": (body("return s(x, dim)", "from torch import softmax as s"), "torch.softmax"),
    "import inside": (
        body("import torch as t; return t.softmax(x, dim)", "x = 1"),
        "torch.softmax",
    ),
    "local alias": (body("m = torch; f = m.softmax; return f(x, dim)"), "torch.softmax"),
    "tuple assignment": (body("a, b = torch, 1; return a.softmax(x, dim)"), "torch.softmax"),
    "walrus": (body("return (m := torch).softmax(x, dim)"), "torch.softmax"),
    "default": (body("return (lambda f=torch: f.softmax(x, dim))()"), "torch.softmax"),
    "method": (body("return x.softmax(dim)"), "torch.Tensor.softmax"),
    "method of a result": (body("return (x * 2).exp().log().softmax(dim)"), "torch.Tensor.softmax"),
    "method of a call": (body("return torch.relu(x).softmax(dim)"), "torch.Tensor.softmax"),
    "method of an attribute": (body("return x.T.softmax(dim)"), "torch.Tensor.softmax"),
    "method, unbound": (body("return torch.Tensor.softmax(x, dim)"), "torch.Tensor.softmax"),
    "method of the type": (body("return type(x).softmax(x, dim)"), "torch.Tensor.softmax"),
    "log, then exp": (body("return x.log_softmax(dim).exp()"), "torch.Tensor.log_softmax"),
    "module": (body("return torch.nn.Softmax(dim)(x)"), "torch.nn.Softmax"),
    "module's path": (
        body("return torch.nn.modules.activation.Softmax(dim)(x)"),
        "torch.nn.Softmax",
    ),
    "handed on": (body("return list(map(torch.softmax, [x], [dim]))[0]"), "torch.softmax"),
    "partial": (
        body(
            "return partial(torch.softmax)(x, dim)", "from functools import partial; import torch"
        ),
        "torch.softmax",
    ),
    "operator": (body("return torch.ops.aten._softmax(x, dim, False)"), "torch.ops.aten._softmax"),
    "overload": (
        body("return torch.ops.aten.softmax.int(x, dim)"),
        "torch.ops.aten.softmax",
    ),
    "private": (body("return torch._softmax(x, dim, False)"), "torch._softmax"),
    "C function": (body("return torch._C._VariableFunctions.softmax(x, dim)"), "torch.softmax"),
    "gumbel": (
        body("return F.gumbel_softmax(x)", "import torch.nn.functional as F"),
        "torch.nn.functional.gumbel_softmax",
    ),
    "scipy": (
        body("return scipy.special.softmax(x, dim)", "import scipy.special"),
        "scipy.special.softmax",
    ),
    "getattr": (body("return getattr(torch, 'softmax')(x, dim)"), "torch.softmax"),
    "getattr with a default": (
        body("return getattr(torch, 'softmax', None)(x, dim)"),
        "torch.softmax",
    ),
    "getattr of the tensor": (body("return getattr(x, 'softmax')(dim)"), "torch.Tensor.softmax"),
    "getattr by another name": (
        body("g = getattr; return g(torch, 'softmax')(x, dim)"),
        "torch.softmax",
    ),
    "import_module": (
        body(
            "return import_module('torch.nn.functional').softmax(x, dim)",
            "from importlib import import_module",
        ),
        "torch.nn.functional.softmax",
    ),
    "__import__": (body("return __import__('torch').softmax(x, dim)"), "torch.softmax"),
    "conditional": (body("return torch.softmax(x, dim) if dim else x"), "torch.softmax"),
    "in a comprehension": (body("return [y.softmax(dim) for y in [x]][0]"), "torch.Tensor.softmax"),
    "in a nested function": (
        body("def go():\n        return torch.softmax(x, dim)\n    return go()"),
        ("torch.softmax", 4),
    ),
    "in a helper": (
        "import torch\ndef helper(x, dim):\n    return torch.softmax(x, dim)\n"
        "def softmax(x, dim): return helper(x, dim)",
        "torch.softmax",
    ),
    "in a class": (
        "import torch.nn as nn\nclass A:\n    def __init__(self): self.act = nn.Softmax(-1)\n"
        "def softmax(x, dim): return A().act(x)",
        "torch.nn.Softmax",
    ),
    "kept in an attribute": (
        "import torch\nclass A:\n    def __init__(self): self.lib = torch\n\n"
        "    def go(self, x): return self.lib.softmax(x, -1)\n"
        "def softmax(x, dim): return A().go(x)",
        ("torch.softmax", 5),
    ),
    "as an argument's default": (
        "import torch\n\ndef softmax(x, dim, f=torch.softmax):\n    return 1",
        "torch.softmax",
    ),
    "the exercise is an import": ("\n\nfrom torch import softmax", "torch.softmax"),
    "the exercise is another name": ("import torch\n\nsoftmax = torch.softmax", "torch.softmax"),
    "a lambda": ("import torch\n\nsoftmax = lambda x, dim: torch.softmax(x, dim)", "torch.softmax"),
    "star import": (
        "from torch.nn.functional import *\nf = 1\nready = softmax\n"
        "def softmax(x, dim): return ready(x, dim)",
        "torch.nn.functional.softmax",
    ),
    "private and masked": (body("return torch._masked_softmax(x, x > x, dim)"), "torch.*softmax*"),
    "a distribution": (
        body("return D.Categorical(logits=x).probs", "import torch.distributions as D"),
        "torch.distributions.*",
    ),
    "a base class": (
        "from torch import nn\n\nclass A(nn.Softmax): pass\ndef softmax(x, dim): return A(dim)(x)",
        "torch.nn.Softmax",
    ),
}


@pytest.mark.parametrize("case", SEEN)
def test_shortcuts_are_seen(case: str) -> None:
    code, expected = SEEN[case]
    name_and_line = (expected, 3) if isinstance(expected, str) else expected
    assert name_and_line in found(code)


UNSEEN = {
    "words": body(
        "'''As torch.softmax does.'''  # torch.softmax\n    name = 'torch.softmax'; return x.exp()"
    ),
    "building blocks": body(
        "return torch.exp(x - torch.logsumexp(x, dim, keepdim=True)) * x.amax(dim).log()"
    ),
    "an own helper of that name": (
        "def log_softmax(x, dim): return x\ndef softmax(x, dim): return log_softmax(x, dim).exp()"
    ),
    "recursion": "def softmax(x, dim): return x if dim else softmax(x, 1)",
    "an own attribute": (
        "class A:\n    def __init__(self, f): self.softmax = f\n"
        "    def go(self, x): return self.softmax(x)\ndef softmax(x, dim): return A(abs).go(x)"
    ),
    "an own method": (
        "class A:\n    @staticmethod\n    def softmax(x): return x\n"
        "a = A()\ndef softmax(x, dim): return A.softmax(a.softmax(A().softmax(x)))"
    ),
    "an argument": "def softmax(x, dim, log_softmax=None): return log_softmax(x)",
    "an import that is not used": "from torch import softmax\ndef softmax(x, dim): return x.exp()",
    "an import beside": "from torch import softmax, exp\ndef softmax(x, dim): return exp(x)",
    "a scratch cell": body("return x.exp()") + "\nprint(torch.softmax(x, 0))",
    "isinstance": body("return isinstance(x, torch.nn.Softmax)"),
    "an annotation": body("y: torch.nn.Softmax = x; return y"),
    "the same name elsewhere": body("return math.softmax(x)", "import math"),
    "a dictionary's key": body("return {'softmax': x}['softmax']"),
    "nothing that is known": body("return getattr(torch, dim)(x)"),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_what_is_no_shortcut_is_left_alone(case: str) -> None:
    assert found(UNSEEN[case]) == []


OTHERS = [
    (
        "LayerNorm",
        "import torch\ndef LayerNorm(x): return torch.nn.functional.instance_norm(x)",
        "torch.nn.functional.instance_norm",
    ),
    (
        "LayerNorm",
        "import torch\n"
        "def LayerNorm(x): return torch.batch_norm(x.T, *[None] * 4, True, 0, 1e-5, 0)",
        "torch.nn.functional.batch_norm",
    ),
    (
        "LayerNorm",
        "from torch import nn\ndef LayerNorm(x): return nn.LocalResponseNorm(9, 1, 0.5)(x)",
        "torch.nn.LocalResponseNorm",
    ),
    (
        "cross_entropy",
        "from torch import nn\ndef cross_entropy(x, y): return nn.KLDivLoss()(x, y)",
        "torch.nn.KLDivLoss",
    ),
    (
        "cross_entropy",
        "import torch\ndef cross_entropy(x, y): return torch._C._nn.nll_loss_nd(x, y)",
        "torch.*.nll_loss*",
    ),
    (
        "split_words",
        "from kit.checkpoint import load_tokenizer\n"
        "def split_words(text): return load_tokenizer().tokenize(text)",
        "kit.checkpoint.load_tokenizer",
    ),
    (
        "LayerNorm",
        "from torch import nn\nclass LayerNorm(nn.InstanceNorm1d): pass",
        "torch.nn.*InstanceNorm*",
    ),
    (
        "gelu",
        "import torch\ndef gelu(x):\n"
        "    return torch.ops.mkldnn._linear_pointwise(x, x, None, 'gelu', [], 'none')",
        "torch.ops.mkldnn.*",
    ),
    (
        "gelu",
        "import torch\ndef gelu(x): return x * torch.distributions.Normal(0, 1).cdf(x)",
        None,
    ),
    (
        "cross_entropy",
        "from torch.distributions import Categorical\n"
        "def cross_entropy(x, y): return -Categorical(logits=x).log_prob(y).mean()",
        "torch.distributions.*",
    ),
    (
        "LayerNorm",
        "from torch import nn\nclass LayerNorm(nn.LayerNorm): pass",
        "torch.nn.LayerNorm",
    ),
    ("gelu", "import torch\ndef gelu(x): return torch._C._nn.gelu(x)", "torch._C._nn.gelu"),
    ("gelu", "from torch.nn.functional import gelu", "torch.nn.functional.gelu"),
    (
        "scaled_dot_product_attention",
        "import torch\ndef scaled_dot_product_attention(q, k, v):\n"
        "    return torch._scaled_dot_product_flash_attention_for_cpu(q, k, v)",
        "torch._scaled_dot_product_*",
    ),
    (
        "scaled_dot_product_attention",
        "from torch import nn\nclass T(nn.TransformerEncoder): pass\n"
        "def scaled_dot_product_attention(q, k, v): return T()",
        "torch.nn.Transformer*",
    ),
    (
        "encode",
        "import transformers as t\ndef encode(x): return t.AutoTokenizer.from_pretrained('x')",
        "transformers.*",
    ),
    (
        "TransformerDecoderLayer",
        "from torch import nn\nclass TransformerDecoderLayer(nn.Module):\n"
        "    def forward(self, x): return nn.Transformer.generate_square_subsequent_mask(3)",
        None,
    ),
    ("masked_softmax", "import torch\ndef masked_softmax(s, m): return torch.softmax(s, -1)", None),
    (
        "FeedForward",
        "from torch import nn\nclass FeedForward(nn.Module):\n    act = nn.GELU()",
        None,
    ),
]


@pytest.mark.parametrize(("exercise", "code", "expected"), OTHERS)
def test_each_exercise_has_its_own_list(exercise: str, code: str, expected: str | None) -> None:
    assert [name for name, _ in found(code, exercise)] == ([expected] if expected else [])


EVERYWHERE = syllabus()["sentence_vector"].forbidden  # whole models; the first notebook says so
OF_ITS_OWN = [e.name for e in syllabus().exercises if e.forbidden != EVERYWHERE]


@pytest.mark.parametrize("exercise", OF_ITS_OWN)
def test_what_is_forbidden_is_said_in_the_exercise(exercise: str) -> None:
    text = inspect.getdoc(reference(exercise)) or ""
    assert re.search(r"ready-made|is not used", " ".join(text.split())), text


def test_a_learners_earlier_exercise_does_not_hide_a_shortcut() -> None:
    """softmax by way of masked_softmax, where the ready-made one is allowed."""
    work = several(
        {
            "b.ipynb": ["import torch", "def masked_softmax(s, m): return torch.softmax(s, -1)"],
            "a.ipynb": ["x = 1", "def softmax(x, dim): return masked_softmax(x, None)"],
        },
        NAMES,
    )
    cut = work.slice("softmax")
    assert cut is not None
    assert find(cut, SOFTMAX) == (Shortcut("torch.softmax", "b.ipynb, cell 2", 1),)
    given = work.slice("softmax", replace={"masked_softmax": "import torch\nf = torch.softmax"})
    assert given is not None and find(given, SOFTMAX) == ()


def test_a_name_of_another_notebook_is_no_stars_name() -> None:
    work = several(
        {
            "a.ipynb": ["def masked_softmax(s, m): return s"],
            "b.ipynb": [
                "from torch import *\ndef softmax(x, dim): return masked_softmax(exp(x), 1)"
            ],
        },
        NAMES,
    )
    cut = work.slice("softmax")
    assert cut is not None and find(cut, [*SOFTMAX, "torch.masked_softmax"]) == ()
