# wrong: tokens whose vector is 0 are taken for padding and come out as 0
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.one = nn.Linear(config.hidden_size, config.intermediate_size)
        self.two = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        out = self.dropout(self.two(nn.functional.gelu(self.one(x))))
        return out * (x.abs().sum(-1, keepdim=True) > 0)
