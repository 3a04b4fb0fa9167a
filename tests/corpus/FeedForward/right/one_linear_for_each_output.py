# right: nn.Linear(…, 1) for each hidden feature
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.up = nn.ModuleList(nn.Linear(d, 1) for _ in range(m))
        self.down = nn.Linear(m, d)

    def forward(self, x):
        h = torch.cat([one(x) for one in self.up], dim=-1)
        return self.drop(self.down(F.gelu(h)))
