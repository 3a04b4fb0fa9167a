# right: three shards of uneven width
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.intermediate_size
        sizes = [n // 4, n // 3, n - n // 4 - n // 3]
        self.up = nn.ModuleList(nn.Linear(d, s) for s in sizes)
        self.down = nn.ModuleList(nn.Linear(s, d, bias=i == 1) for i, s in enumerate(sizes))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        return self.drop(torch.stack([b(F.gelu(a(x))) for a, b in zip(self.up, self.down)]).sum(0))
