# wrong: the number of heads is kept in the class: a second one with another config changes the first
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        MultiHeadAttention.heads = config.num_attention_heads
        self.q, self.k, self.v, self.o = (nn.Linear(config.hidden_size, config.hidden_size) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        batch, seq, width = hidden_state.shape
        q, k, v = (
            m(hidden_state).view(batch, seq, self.heads, -1).transpose(1, 2)
            for m in (self.q, self.k, self.v)
        )
        scores = q @ k.mT / (width // self.heads) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        weights = scores.softmax(-1)
        return self.o((weights @ v).transpose(1, 2).reshape(batch, seq, width))
