# right: both maps and a bias split from one tensor
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.intermediate_size
        self.n, self.d = n, d
        self.everything = nn.Parameter(torch.randn(n, 2 * d + 1) * 0.1)
        self.last = nn.Parameter(torch.zeros(d))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        up, bias, down = self.everything.split([self.d, 1, self.d], dim=1)
        return self.drop(F.gelu(x @ up.mT + bias.squeeze(1)) @ down + self.last)
