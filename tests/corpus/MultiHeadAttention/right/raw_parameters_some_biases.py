# right: raw parameters, biases on query and value only, meaningless names
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        for i in range(4):
            self.register_parameter(f"p{i}", nn.Parameter(torch.randn(d, d) / d**0.5))
        self.p4 = nn.Parameter(torch.zeros(d))
        self.p5 = nn.Parameter(torch.zeros(d))

    def forward(self, hidden_state, mask=None):
        cut = lambda t: t.unflatten(2, (self.h, -1)).transpose(1, 2)
        q = cut(hidden_state @ self.p0 + self.p4)
        k = cut(hidden_state @ self.p1)
        v = cut(hidden_state @ self.p2 + self.p5)
        w = q @ k.transpose(2, 3) / q.size(3) ** 0.5
        if mask is not None:
            w = w.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return (w.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.p3
