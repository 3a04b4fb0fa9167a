# wrong: where text and memory are equally long, the memory's mask hides text
import torch


def causal_mask(seq_len: int) -> torch.Tensor:
    return torch.ones(seq_len, seq_len, dtype=torch.bool).tril()


import math

import torch
import torch.nn as nn
from torch.nn import functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0:
            raise ValueError(
                f"{config.num_attention_heads} heads do not divide {config.hidden_size}"
            )
        # key, query, value projections for all heads, but in a batch
        self.c_attn = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.c_proj = nn.Linear(config.hidden_size, config.hidden_size)
        self.n_head = config.num_attention_heads
        self.n_embd = config.hidden_size
        for lin in (self.c_attn, self.c_proj):
            nn.init.normal_(lin.weight, mean=0.0, std=0.02)
            nn.init.zeros_(lin.bias)

    def forward(self, x, mask=None):
        B, T, C = x.size()
        q, k, v = self.c_attn(x).split(self.n_embd, dim=2)
        k = k.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)  # (B, nh, T, hs)
        q = q.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        v = v.view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if mask is not None:
            mask = mask.expand(B, T, T).unsqueeze(1)
            att = att.masked_fill(mask == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.c_proj(y)


import torch
from torch import einsum, nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        dim, self.heads = config.hidden_size, config.num_attention_heads
        self.scale = (dim // self.heads) ** -0.5
        self.to_q = nn.Linear(dim, dim, bias=False)
        self.to_kv = nn.Linear(dim, 2 * dim, bias=False)
        self.to_out = nn.Linear(dim, dim)

    def forward(self, x, context, mask=None):
        h = self.heads
        q, (k, v) = self.to_q(x), self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (h, -1)) for t in (q, k, v))
        sim = einsum("b i h d, b j h d -> b h i j", q, k) * self.scale
        if mask is not None:
            keep = torch.broadcast_to(mask.bool(), (x.shape[0], x.shape[1], context.shape[1]))
            sim = sim.masked_fill(~keep[:, None], -torch.finfo(sim.dtype).max)
        out = einsum("b h i j, b j h d -> b i h d", sim.softmax(dim=-1), v)
        return self.to_out(out.reshape(x.shape))


from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(config.hidden_size, config.intermediate_size),
            nn.GELU(),
            nn.Linear(config.intermediate_size, config.hidden_size),
            nn.Dropout(config.hidden_dropout_prob),
        )

    def forward(self, x):
        return self.net(x)


from torch import nn


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        norm = lambda: nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.norm_1, self.norm_2, self.norm_3 = norm(), norm(), norm()
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = CrossAttention(config)
        self.feed_forward = FeedForward(config)

    def forward(self, hidden_state, memory, memory_mask=None):
        x = hidden_state
        causal = causal_mask(x.shape[1]).to(x.device)
        if memory_mask is not None and memory_mask.shape[-1] == x.shape[1]:
            causal = causal & memory_mask.bool()
        x = x + self.self_attention(self.norm_1(x), causal)
        x = x + self.cross_attention(self.norm_2(x), memory, memory_mask)
        return x + self.feed_forward(self.norm_3(x))
