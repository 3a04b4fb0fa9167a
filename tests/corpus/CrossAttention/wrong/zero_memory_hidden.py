# wrong: memory vectors of 0 are taken for padding
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        h = config.hidden_size
        self.q, self.k, self.v, self.o = (nn.Linear(h, h) for _ in range(4))

    def forward(self, hidden_state, memory, mask=None):
        q = split_heads(self.q(hidden_state), self.heads)
        k, v = split_heads(self.k(memory), self.heads), split_heads(self.v(memory), self.heads)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        empty = (memory == 0).all(-1)[:, None, None]
        scores = scores.masked_fill(empty, -1e9)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        weights = scores.softmax(-1)
        return self.o(merge_heads(weights @ v))
