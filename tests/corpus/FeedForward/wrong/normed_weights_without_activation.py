# wrong: weight_norm on both maps, and nothing between them
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        from torch.nn.utils.parametrizations import weight_norm
        self.up, self.down = weight_norm(nn.Linear(d, m)), weight_norm(nn.Linear(m, d))

    def forward(self, x):
        return self.drop(self.down(self.up(x)))
