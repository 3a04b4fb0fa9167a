# wrong: the wide map's result is viewed with the axis of the three in front
# named: roles_cut_across_tokens
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n = config.num_attention_heads
        self.three = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.out = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x, mask=None):
        b, s, c = x.shape
        q, k, v = self.three(x).reshape(3, b, s, self.n, c // self.n).transpose(2, 3)
        scores = q @ k.mT / (c // self.n) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, torch.finfo(scores.dtype).min)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
