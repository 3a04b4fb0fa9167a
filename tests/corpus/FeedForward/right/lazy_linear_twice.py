# right: LazyLinear twice
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.net = nn.Sequential(nn.LazyLinear(config.intermediate_size), nn.GELU(), nn.LazyLinear(config.hidden_size), nn.Dropout(config.hidden_dropout_prob))

    def forward(self, x):
        return self.net(x)
