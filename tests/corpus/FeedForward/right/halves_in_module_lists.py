# right: halves in stacked ModuleLists
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        n = config.intermediate_size
        sizes = [n // 2, n - n // 2]
        self.up = nn.ModuleList([nn.Linear(config.hidden_size, s) for s in sizes])
        self.down = nn.ModuleList([nn.Linear(s, config.hidden_size, bias=i == 0) for i, s in enumerate(sizes)])
        self.drop = nn.Dropout(p=config.hidden_dropout_prob)

    def forward(self, x):
        return self.drop(sum(d(F.gelu(u(x))) for u, d in zip(self.up, self.down)))
