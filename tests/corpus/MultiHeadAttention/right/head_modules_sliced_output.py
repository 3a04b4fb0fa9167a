# right: heads as modules in a ModuleDict, each with its own slice of the output projection
import torch
from torch import nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.enter = nn.Linear(d, 3 * k)
        self.leave = nn.Linear(k, d, bias=False)

    def forward(self, x, mask):
        q, k, v = self.enter(x).chunk(3, dim=-1)
        a = q @ k.mT / k.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return self.leave(a.softmax(-1) @ v)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleDict({f"head_{i}": Head(d, d // h) for i in range(h)})
        self.offset = nn.Parameter(torch.zeros(d))

    def forward(self, x, mask=None):
        return sum(head(x, mask) for head in self.heads.values()) + self.offset
