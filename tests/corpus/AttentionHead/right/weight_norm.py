# right: weight_norm on each projection
import math
import torch
from torch import nn
import torch.nn.functional as F


from torch.nn.utils.parametrizations import weight_norm

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (weight_norm(nn.Linear(embed_dim, head_dim, bias=False)) for _ in range(3))

    def forward(self, hidden_state, mask=None):
        q, k, v = self.q(hidden_state), self.k(hidden_state), self.v(hidden_state)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, -torch.inf)
        return s.softmax(-1) @ v
