"""Uses the lazily loaded parts of PyTorch once, so that no fork pays for it; starts no thread.

Never a backward pass: its engine's state does not survive a fork.
"""

import contextlib
import inspect
import typing
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from . import inert
from .answering import Service
from .protocol import HEADER_SIZE, decode_body, decode_header, encode
from .uncompiled import spare_the_compiler

# What a fork would wait for at first use: for the meta device 0.2 s (it imports sympy), for
# scripting 20 ms, for a module, a repr or an einsum 1 to 6.
_CODE = """
import copy, dataclasses, math, typing
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.embedding = nn.Embedding(11, hidden)
        self.query, self.key = nn.Linear(hidden, hidden), nn.Linear(hidden, hidden)
        self.norm, self.dropout = nn.LayerNorm(hidden), nn.Dropout(0.1)
        self.scale = nn.Parameter(torch.ones(hidden))
        self.register_buffer("position", torch.arange(hidden))

    def forward(self, x, mask=None):
        query = self.query(x).view(2, 3, 2, 2).transpose(1, 2)
        key = self.key(x).reshape(2, 3, 2, 2).permute(0, 2, 3, 1)
        scores = query @ key / math.sqrt(2)
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        mixed = torch.einsum("bhqk,bhkd->bhqd", weights, query)
        x = x + F.gelu(mixed.transpose(1, 2).contiguous().view(2, 3, 4)) * self.scale
        return self.norm(x)

def function(x, mask=None):
    x = torch.where(x > 0, x, torch.zeros_like(x)).tril() + torch.cat([x, x]).sum()
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return torch.tanh(torch.bmm(e, torch.matmul(e, e))) / e.sum(-1, keepdim=True)
"""


class _Scripted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.linear(x))


def warm_up() -> None:
    """Do once what learner code and checks commonly do first."""
    spare_the_compiler()
    inert.install()
    service = Service(in_process=False)
    units = [{"code": _CODE, "label": "warm-up", "line": 1}]
    _ask(service, "load", {"exercise": "Block", "units": units})
    x = torch.randn(2, 3, 3)
    call: dict[str, Any] = {"target": {"name": "function"}, "args": (x,), "kwargs": {}}
    for options in ({"seed": 0}, {"trace": True}, {"meta": True}):
        _ask(service, "call", {**call, "options": options})
    made = _ask(service, "construct", {"name": "Block", "args": (4,), "kwargs": {}, "seed": 0})
    call = {"target": made, "args": (torch.randn(2, 3, 4), torch.ones(3, 3)), "kwargs": {}}
    for options in ({"train": True}, {"train": False, "trace": True}, {"meta": True}):
        _ask(service, "call", {**call, "options": options})
    _ask(service, "write", {**made, **_ask(service, "read", made)})
    _ask(service, "call", {"target": {"name": "missing"}, "args": (), "kwargs": {}})
    _rarer()


def _ask(service: Service, op: str, payload: dict[str, Any]) -> dict[str, Any]:
    """One request as it comes over the wall; what is asked for is all there is to keep."""
    frame = encode(bytes(16), service.handle(op, payload))
    _, size, _ = decode_header(frame[:HEADER_SIZE], None)
    answer = decode_body(frame[HEADER_SIZE : HEADER_SIZE + size], frame[HEADER_SIZE + size :])
    kept = answer.get("ok", {})
    return {name: kept[name] for name in ("handle", "values") if name in kept}


def _rarer() -> None:
    x = torch.randn(2, 3, 4)
    F.scaled_dot_product_attention(x, x, x)
    F.cross_entropy(x[:, :, 0], torch.zeros(2, dtype=torch.long))
    nn.MultiheadAttention(4, 2, batch_first=True)(x, x, x)
    nn.TransformerEncoderLayer(4, 2, batch_first=True)(x)
    nn.Conv1d(3, 3, 1)(x)
    nn.init.xavier_uniform_(torch.empty(3, 3))
    torch.func.vmap(torch.sum)(x)
    torch.manual_seed(0)
    (x.double() @ x.double().mT).numpy()
    repr(x)
    linear = nn.Linear(2, 2)
    repr(linear)
    for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
        kind(linear.parameters(), lr=0.1)
    typing.get_type_hints(_Scripted.forward)
    inspect.getsource(_Scripted)
    with torch.no_grad(), contextlib.suppress(Exception):
        torch.jit.script(_Scripted())(torch.ones(2, 2))
    with contextlib.suppress(ImportError):
        import einops

        einops.rearrange(x, "b q (h d) -> b h q d", h=2)
        einops.einsum(x, x, "b q d, b k d -> b q k")
