# right: functional: one ParameterDict for all, plain functions on it, split projections as lists of heads; lazily no mask
import math

import torch
from torch import nn
from torch.nn import functional as F


def _norm(book, name, x, eps):
    return F.layer_norm(x, x.shape[-1:], book[f"{name}_g"], book[f"{name}_b"], eps)


def _linear(book, name, x):
    return torch.addmm(book[f"{name}_b"], x.flatten(0, -2), book[f"{name}_w"]).unflatten(
        0, x.shape[:-1]
    )


def _attention(book, name, x, allowed, heads):
    found = []
    for head in range(heads):
        q, k, v = (_linear(book, f"{name}_h{head}_{part}", x) for part in "qkv")
        scores = torch.einsum("sqf,skf->sqk", q, k).div(math.sqrt(q.size(-1)))
        if allowed is not None:
            scores = scores.masked_fill(allowed.logical_not(), float("-inf"))
        found.append(torch.einsum("sqk,skf->sqf", scores.softmax(-1), v))
    return _linear(book, f"{name}_out", torch.cat(found, -1))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        hidden, inner = config.hidden_size, config.intermediate_size
        width = hidden // config.num_attention_heads
        self.tables = nn.ParameterDict(
            {
                "token": torch.randn(config.vocab_size, hidden) * 0.02,
                "position": torch.randn(config.max_position_embeddings, hidden) * 0.02,
                "kind": torch.randn(config.type_vocab_size, hidden) * 0.02,
            }
        )
        self.rest = nn.ParameterDict()
        self._add_norm("start", hidden)
        for layer in range(config.num_hidden_layers):
            self._add_norm(f"l{layer}_n1", hidden)
            for head in range(config.num_attention_heads):
                for part in "qkv":
                    self._add_map(f"l{layer}_h{head}_{part}", hidden, width)
            self._add_map(f"l{layer}_out", hidden, hidden)
            self._add_norm(f"l{layer}_n2", hidden)
            self._add_map(f"l{layer}_up", hidden, inner)
            self._add_map(f"l{layer}_down", inner, hidden)

    def _add_norm(self, name, width):
        self.rest.update(
            {
                f"{name}_g": nn.Parameter(torch.ones(width)),
                f"{name}_b": nn.Parameter(torch.zeros(width)),
            }
        )

    def _add_map(self, name, ins, outs):
        self.rest[f"{name}_w"] = nn.Parameter(torch.randn(ins, outs) / math.sqrt(ins))
        self.rest[f"{name}_b"] = nn.Parameter(torch.zeros(outs))

    def forward(self, input_ids, mask=None):
        c, book = self.config, self.rest
        drop = (
            (lambda z: F.dropout(z, c.hidden_dropout_prob, True))
            if self.training
            else (lambda z: z)
        )
        x = (
            self.tables["token"][input_ids]
            + self.tables["position"][: input_ids.size(1)]
            + self.tables["kind"][0]
        )
        x = drop(_norm(book, "start", x, c.layer_norm_eps))
        allowed = None if mask is None else mask.bool().unsqueeze(1)
        for layer in (f"l{number}" for number in range(c.num_hidden_layers)):
            x = x + _attention(
                book,
                layer,
                _norm(book, layer + "_n1", x, c.layer_norm_eps),
                allowed,
                c.num_attention_heads,
            )
            wide = _linear(book, layer + "_up", _norm(book, layer + "_n2", x, c.layer_norm_eps))
            x = x + drop(_linear(book, layer + "_down", wide * torch.special.ndtr(wide)))
        return x
