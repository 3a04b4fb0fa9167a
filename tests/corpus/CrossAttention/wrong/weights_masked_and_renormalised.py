# wrong: softmax first, then the mask: a hidden score of 1000 leaves 0 / 0
# named: maximum_of_all_keys
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
        weights = scores.softmax(-1)
        if mask is not None:
            weights = weights * mask.unsqueeze(1)
            weights = weights / weights.sum(-1, keepdim=True)
        return self.o(merge_heads(weights @ v))
