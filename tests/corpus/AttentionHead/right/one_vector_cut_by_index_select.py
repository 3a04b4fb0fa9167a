# right: one vector cut by index select
import math
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.all = nn.Parameter(torch.randn(embed_dim * 3, head_dim) * 0.1)
        self.register_buffer("rows", torch.arange(3 * embed_dim).view(embed_dim, 3).T.contiguous())
        self.shift = nn.Parameter(torch.zeros(head_dim, 3))

    def forward(self, x, mask=None):
        q, k, v = (x @ self.all.index_select(0, r) + self.shift[:, i] for i, r in enumerate(self.rows))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, float("-inf"))
        return s.softmax(-1) @ v
