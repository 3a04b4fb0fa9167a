# right: one flat vector
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        h, m = config.hidden_size, config.intermediate_size
        self.h, self.m = h, m
        self.theta = nn.Parameter(torch.randn(2 * h * m + h + m) * 0.1)
        self.p = config.hidden_dropout_prob

    def forward(self, x):
        h, m = self.h, self.m
        w1, b1, w2, b2 = self.theta.split([h * m, m, h * m, h])
        x = F.gelu(F.linear(x, w1.view(m, h), b1))
        return F.dropout(F.linear(x, w2.view(h, m), b2), self.p, self.training)
