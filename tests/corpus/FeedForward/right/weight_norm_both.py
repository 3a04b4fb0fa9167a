# right: weight_norm on both maps
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
        self.net = nn.Sequential(weight_norm(nn.Linear(d, m)), nn.GELU(), weight_norm(nn.Linear(m, d)), self.drop)

    def forward(self, x):
        return self.net(x)
