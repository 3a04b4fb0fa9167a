# right: a list of nn.Linear(embed_dim, 1)
import math
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.maps = nn.ModuleDict({r: nn.ModuleList([nn.Linear(embed_dim, 1) for _ in range(head_dim)]) for r in "qkv"})

    def forward(self, hidden_state, mask=None):
        q, k, v = (torch.cat([m(hidden_state) for m in self.maps[r]], -1) for r in "qkv")
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, -torch.inf)
        return s.softmax(-1) @ v
