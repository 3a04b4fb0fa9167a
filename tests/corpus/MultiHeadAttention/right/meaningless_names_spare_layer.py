# right: meaningless names, reversed registration, a spare square layer that is never called
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        z = config.hidden_size
        self.a = nn.Linear(z, z)
        self.b = nn.Linear(z, z)
        self.c = nn.Linear(z, z)
        self.d = nn.Linear(z, z)
        self.e = nn.Linear(z, z)
        self.n = config.num_attention_heads

    def forward(self, hidden_state, mask=None):
        r = lambda t: t.unflatten(-1, (self.n, -1)).movedim(-2, 1)
        s = r(self.e(hidden_state)) @ r(self.d(hidden_state)).mT
        s = s / (hidden_state.size(-1) // self.n) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, float("-inf"))
        return self.a((s.softmax(-1) @ r(self.c(hidden_state))).movedim(1, -2).flatten(-2))
