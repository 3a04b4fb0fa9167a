# right: kv fused, q apart, biases raw in one [3, dim]
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(3, head_dim))
        self.kv = nn.Linear(embed_dim, 2 * head_dim, bias=False)
        self.q = nn.Parameter(torch.randn(head_dim, embed_dim) * 0.1)

    def forward(self, x, mask=None):
        k, v = self.kv(x).chunk(2, -1)
        q = x @ self.q.T + self.shift[2]
        k, v = k + self.shift[0], v + self.shift[1]
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return a.softmax(-1) @ v
