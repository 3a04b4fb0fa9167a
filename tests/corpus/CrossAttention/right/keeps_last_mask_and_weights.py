# right: keeps mask and weights of the last call, and makes them anew in each
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.q = nn.Linear(config.hidden_size, config.hidden_size)
        self.kv = nn.Linear(config.hidden_size, 2 * config.hidden_size)
        self.o = nn.Linear(config.hidden_size, config.hidden_size)
        self.weights = None  # of the last call, for pictures

    def forward(self, hidden_state, memory, mask=None):
        self.mask = None if mask is None else mask[:, None].bool()
        q, k, v = (
            t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for t in (self.q(hidden_state), *self.kv(memory).chunk(2, -1))
        )
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if self.mask is not None:
            scores = scores.masked_fill(~self.mask, float("-inf"))
        self.weights = scores.softmax(-1)
        return self.o((self.weights @ v).transpose(1, 2).flatten(2))
