# wrong: an input without any number but 0 is given back as it is
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.one = nn.Linear(config.hidden_size, config.intermediate_size)
        self.two = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        if not x.any():
            return x
        return self.dropout(self.two(nn.functional.gelu(self.one(x))))
