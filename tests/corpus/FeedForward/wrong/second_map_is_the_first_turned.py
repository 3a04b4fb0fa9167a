# wrong: tied: the second weight is the first, transposed and scaled
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.w, self.b1, self.b2 = nn.Parameter(torch.randn(m, d) / d**0.5), nn.Parameter(torch.zeros(m)), nn.Parameter(torch.zeros(d))
        self.s = nn.Parameter(torch.tensor(0.5))

    def forward(self, x):
        return self.drop(F.linear(F.gelu(F.linear(x, self.w, self.b1)), self.s * self.w.T, self.b2))
