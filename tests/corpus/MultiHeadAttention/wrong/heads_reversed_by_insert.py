# wrong: heads joined in reverse order, each in front of the last
# named: heads_reversed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        parts = [layer(hidden_state).chunk(self.heads, -1) for layer in (self.q, self.k, self.v)]
        joined = []
        for q, k, v in zip(*parts):
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if mask is not None:
                scores = scores.masked_fill(mask == 0, float("-inf"))
            joined.insert(0, scores.softmax(-1) @ v)
        return self.o(torch.cat(joined, -1))
