# right: one tensor for eight maps
import math
import torch
from torch import nn
import torch.nn.functional as F


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n, self.h = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.maps = nn.Parameter(torch.randn(8, d, d) * 0.1)
        self.norms = nn.Parameter(torch.stack([torch.ones(3, d), torch.zeros(3, d)], 1))
        self.ff = nn.Sequential(nn.Linear(d, n), nn.GELU(), nn.Linear(n, d))
        self.eps = config.layer_norm_eps
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def norm(self, x, i):
        return F.layer_norm(x, x.shape[-1:], *self.norms[i], self.eps)

    def attend(self, x, y, maps, keep):
        split = lambda z, w: (z @ w).unflatten(-1, (self.h, -1)).transpose(1, 2)
        v, k, q = split(y, maps[2]), split(y, maps[1]), split(x, maps[0])
        s = q @ k.mT / q.shape[-1] ** 0.5
        if keep is not None:
            s = s.masked_fill(~keep, float("-inf"))
        return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ maps[3]

    def forward(self, hidden_state, memory, memory_mask=None):
        n = hidden_state.shape[1]
        past = torch.ones(n, n, dtype=torch.bool, device=hidden_state.device).tril()
        a = self.norm(hidden_state, 0)
        x = hidden_state + self.drop(self.attend(a, a, self.maps[:4], past))
        keep = None if memory_mask is None else memory_mask.bool().unsqueeze(1)
        x = x + self.drop(self.attend(self.norm(x, 1), memory, self.maps[4:], keep))
        return x + self.drop(self.ff(self.norm(x, 2)))
