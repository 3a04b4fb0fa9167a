import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.large = nn.Parameter(torch.zeros(5_000, 5_000))

    def forward(self, x):
        return x + 0 * self.large.sum()
