# right: blocks of inner units, one added to the other by addmm, the GELU in float64
import torch
import torch.nn as nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    block = 11

    def __init__(self, config):
        super().__init__()
        hidden, inner = config.hidden_size, config.intermediate_size
        keys, values = torch.empty(inner, hidden), torch.empty(inner, hidden)
        nn.init.xavier_normal_(keys)
        nn.init.xavier_normal_(values)
        self.keys, self.values = nn.Parameter(keys), nn.Parameter(values)     # memory: one row a unit
        self.threshold = nn.Parameter(torch.zeros(inner, 1))
        self.rest = nn.Parameter(torch.zeros(1, hidden))
        self.rate = config.hidden_dropout_prob

    def forward(self, x):
        tokens = x.flatten(0, 1)
        total = self.rest.expand(tokens.shape)
        for start in range(0, len(self.keys), self.block):
            some = slice(start, start + self.block)
            before = (self.keys[some] @ tokens.T + self.threshold[some]).T
            bent = F.gelu(before.double(), approximate="none").to(before.dtype)
            total = torch.addmm(total, bent, self.values[some])
        return F.dropout(total.unflatten(0, x.shape[:2]), p=self.rate, training=self.training)
