# wrong: the einsum gives the values the query's index, so each token gets its own value times the sum of its weights
# named: own_value
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.q, self.k, self.v, self.o = (
            nn.Linear(config.hidden_size, config.hidden_size) for _ in range(4)
        )

    def forward(self, hidden_state, mask=None):
        q, k, v = (
            layer(hidden_state).unflatten(-1, (self.heads, -1)) for layer in (self.q, self.k, self.v)
        )
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, float("-inf"))
        found = torch.einsum("bhqk,bqhd->bqhd", scores.softmax(-1), v)
        return self.o(found.flatten(2))
