# right: ModuleList of small heads with concat, causal-style code without the triangle
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(16, 16)))

    def forward(self, x, mask):
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        if mask is not None:
            wei = wei.masked_fill(mask == 0, float("-inf"))
        return wei.softmax(-1) @ self.value(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size // config.num_attention_heads
        self.heads = nn.ModuleList([Head(config.hidden_size, size) for _ in range(config.num_attention_heads)])
        self.proj = nn.Linear(size * config.num_attention_heads, config.hidden_size)

    def forward(self, hidden_state, mask=None):
        return self.proj(torch.cat([h(hidden_state, mask) for h in self.heads], dim=-1))
