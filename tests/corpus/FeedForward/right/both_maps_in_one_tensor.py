# right: both maps in one raw [2, d, f], the second transposed
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.maps = nn.Parameter(torch.randn(2, d, f) * 0.1)
        self.inner, self.outer = nn.Parameter(torch.zeros(f)), nn.Parameter(torch.zeros(d))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        up, down = self.maps
        return self.drop(F.gelu(x @ up + self.inner) @ down.T + self.outer)
