# right: the feed-forward network in two halves that are summed, the scale folded into the query's weights at each call
import torch
from torch import nn


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m, h = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.h = h
        self.norms = nn.ParameterDict({"g1": nn.Parameter(torch.ones(d)), "b1": nn.Parameter(torch.zeros(d)), "g2": nn.Parameter(torch.ones(d)), "b2": nn.Parameter(torch.zeros(d))})
        self.eps, self.p = config.layer_norm_eps, config.hidden_dropout_prob
        self.query_key = nn.Linear(d, 2 * d)
        self.value, self.out = nn.Linear(d, d), nn.Linear(d, d)
        half = m // 2
        self.up_a, self.up_b = nn.Linear(d, half), nn.Linear(d, m - half)
        self.down_a, self.down_b = nn.Linear(half, d, bias=False), nn.Linear(m - half, d)

    def norm(self, x, i):
        return nn.functional.layer_norm(x, x.shape[-1:], self.norms[f"g{i}"], self.norms[f"b{i}"], self.eps)

    def forward(self, x, mask=None):
        b, n, d = x.shape
        y = self.norm(x, 1)
        q, k = self.query_key(y).view(b, n, 2, self.h, -1).permute(2, 0, 3, 1, 4)
        v = self.value(y).view(b, n, self.h, -1).transpose(1, 2)
        w = (q * (d // self.h) ** -0.5) @ k.transpose(-1, -2)
        if mask is not None:
            w = w.masked_fill(mask.unsqueeze(-3).logical_not(), float("-inf"))
        x = x + self.out((w.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))
        y = self.norm(x, 2)
        act = nn.functional.gelu
        y = self.down_a(act(self.up_a(y))) + self.down_b(act(self.up_b(y)))
        return x + nn.functional.dropout(y, self.p, self.training)
