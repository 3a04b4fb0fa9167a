# wrong: half of the second map stays zero
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.intermediate_size
        self.up = nn.Linear(d, n)
        self.down = nn.Parameter(torch.randn(n // 2, d) * 0.1)
        self.shift = nn.Parameter(torch.zeros(d))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        down = torch.cat([self.down, torch.zeros(self.up.out_features - len(self.down), x.shape[-1])])
        return self.drop(F.gelu(self.up(x)) @ down + self.shift)
