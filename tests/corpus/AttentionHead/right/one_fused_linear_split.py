# right: one fused Linear, split
import math
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.proj = nn.Linear(embed_dim, 3 * head_dim)
        self.head_dim = head_dim

    def forward(self, hidden_state, mask=None):
        v, k, q = torch.split(self.proj(hidden_state), self.head_dim, dim=-1)
        w = q.matmul(k.mT).div(math.sqrt(self.head_dim))
        if mask is not None:
            w = w.masked_fill(mask == 0, -math.inf)
        return w.softmax(-1).matmul(v)
