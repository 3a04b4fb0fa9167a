# wrong: where a query is 0, all its scores are 0
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w = nn.Linear(query_dim, hidden_dim)
        self.u = nn.Linear(key_dim, hidden_dim)
        self.v = nn.Linear(hidden_dim, 1)

    def forward(self, query, key):
        mixed = self.w(query).unsqueeze(2) + self.u(key).unsqueeze(1)
        scores = self.v(mixed.tanh()).squeeze(-1)
        return scores * (query != 0).any(-1, keepdim=True)
