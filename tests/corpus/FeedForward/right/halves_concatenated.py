# right: halves concatenated
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        n = config.intermediate_size
        self.a = nn.Linear(config.hidden_size, n // 2)
        self.b = nn.Linear(config.hidden_size, n - n // 2)
        self.a2 = nn.Linear(n, config.hidden_size)
        self.drop = nn.Dropout(p=config.hidden_dropout_prob)

    def forward(self, x):
        out = self.a2(F.gelu(torch.cat([self.a(x), self.b(x)], -1)))
        return self.drop(out)
