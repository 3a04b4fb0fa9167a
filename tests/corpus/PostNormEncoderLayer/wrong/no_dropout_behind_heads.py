# wrong: no dropout behind heads with output maps of their own
# named: dropout_missing
import torch
from torch import nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, d, width):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(d, width), nn.Linear(d, width), nn.Linear(d, width)
        self.o = nn.Linear(width, d)

    def forward(self, x, mask):
        scores = self.q(x) @ self.k(x).mT / self.q.out_features**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        return self.o(scores.softmax(-1) @ self.v(x))


class PostNormEncoderLayer(nn.Module):
    """Each head has an output map of its own, with a bias; what they give is not dropped."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.heads = nn.ModuleList([Head(d, d // n) for _ in range(n)])
        self.first = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.second = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.wide, self.narrow = nn.Linear(d, config.intermediate_size), nn.Linear(config.intermediate_size, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        x = self.first(x + sum(head(x, mask) for head in self.heads))
        return self.second(x + self.drop(self.narrow(F.gelu(self.wide(x)))))
