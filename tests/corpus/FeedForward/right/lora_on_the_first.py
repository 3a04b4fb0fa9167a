# right: an adapter beside the first map
import math
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m = config.hidden_size, config.intermediate_size
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.up, self.down = nn.Linear(d, m), nn.Linear(m, d)
        self.a, self.b = nn.Linear(d, 3, bias=False), nn.Linear(3, m, bias=False)

    def forward(self, x):
        return self.drop(self.down(F.gelu(self.up(x) + 0.5 * self.b(self.a(x)))))
