# right: a scale for each output feature behind both maps
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.up, self.down = nn.Linear(d, m), nn.Linear(m, d)
        self.s1, self.s2 = nn.Parameter(torch.ones(m)), nn.Parameter(torch.ones(d))

    def forward(self, x):
        return self.drop(self.down(F.gelu(self.up(x) * self.s1)) * self.s2)
