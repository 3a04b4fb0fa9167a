# wrong: squeeze() drops the batch axis of a single sentence
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        q, k, v = (f(hidden_state).unflatten(-1, (self.n, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2)).squeeze()
