# right: sublayer connections, maps stored turned by a parametrization, a map back for each head
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        return self.scale * (x - mean) / torch.sqrt(var + self.eps) + self.shift

import copy
import math

import torch
import torch.nn as nn


def clones(module, N):
    "Produce N identical layers."
    return nn.ModuleList([copy.deepcopy(module) for _ in range(N)])


def attention(query, key, value, mask=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p_attn = scores.softmax(dim=-1)
    return torch.matmul(p_attn, value)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super(MultiHeadAttention, self).__init__()
        h, d_model = config.num_attention_heads, config.hidden_size
        if d_model % h != 0:
            raise ValueError("d_model must be a multiple of h")
        self.d_k = d_model // h
        self.h = h
        self.linears = clones(nn.Linear(d_model, d_model), 4)

    def forward(self, hidden_state, mask=None):
        if mask is not None and mask.ndim > 2:
            mask = mask.unsqueeze(1)
        nbatches = hidden_state.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (hidden_state, hidden_state, hidden_state))
        ]
        x = attention(query, key, value, mask=mask)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)

import math

import torch
from torch import nn


class _Head(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.ask, self.answer, self.give = nn.Linear(d, width), nn.Linear(d, width), nn.Linear(d, width)
        self.back = nn.Linear(width, d, bias=False)

    def forward(self, x, memory, seen):
        fit = torch.bmm(self.ask(x), self.answer(memory).mT) / math.sqrt(self.ask.out_features)
        if seen is not None:
            fit = torch.where(seen, fit, fit.new_full((), -math.inf))
        return self.back(torch.bmm(torch.softmax(fit, -1), self.give(memory)))


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleList(_Head(d, d // n) for _ in range(n))
        self.bias = nn.Parameter(torch.zeros(d))

    def forward(self, hidden_state, memory, mask=None):
        seen = None if mask is None else mask != 0
        return sum(head(hidden_state, memory, seen) for head in self.heads) + self.bias

from torch import nn
from torch.nn import functional as F
from torch.nn.utils import parametrize


class Turned(nn.Module):
    """Stores [in, out], shows [out, in]."""

    def forward(self, stored):
        return stored.T

    def right_inverse(self, shown):
        return shown.T.contiguous()


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        sizes = (config.hidden_size, config.intermediate_size, config.hidden_size)
        for name, n_in, n_out in zip(("up", "down"), sizes, sizes[1:]):
            layer = nn.Linear(n_in, n_out)
            parametrize.register_parametrization(layer, "weight", Turned())
            self.add_module(name, layer)
        self.rate = config.hidden_dropout_prob

    def forward(self, x):
        y = self.down(F.gelu(self.up(x), approximate="none"))
        return F.dropout(y, p=self.rate, training=self.training)

import torch
import torch.nn as nn


def subsequent_mask(size):
    "Mask out subsequent positions."
    return torch.triu(torch.ones(1, size, size), diagonal=1).type(torch.uint8) == 0


class SublayerConnection(nn.Module):
    def __init__(self, size, eps):
        super(SublayerConnection, self).__init__()
        self.norm = LayerNorm(size, eps)

    def forward(self, x, sublayer):
        return x + sublayer(self.norm(x))


class TransformerDecoderLayer(nn.Module):
    "Decoder is made of self-attn, src-attn, and feed forward"

    def __init__(self, config):
        super(TransformerDecoderLayer, self).__init__()
        self.size = config.hidden_size
        self.self_attn = MultiHeadAttention(config)
        self.src_attn = CrossAttention(config)
        self.feed_forward = FeedForward(config)
        self.sublayer = nn.ModuleList([SublayerConnection(self.size, config.layer_norm_eps) for _ in range(3)])

    def forward(self, x, memory, memory_mask=None):
        m = memory
        tgt_mask = subsequent_mask(x.size(1)).to(x.device)
        x = self.sublayer[0](x, lambda x: self.self_attn(x, tgt_mask))
        x = self.sublayer[1](x, lambda x: self.src_attn(x, m, memory_mask))
        return self.sublayer[2](x, self.feed_forward)
