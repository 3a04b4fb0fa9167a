# wrong: keys of zeros are taken for padding and get -1e9
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w = nn.Linear(query_dim, hidden_dim, bias=False)
        self.u = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Parameter(torch.randn(hidden_dim))

    def forward(self, query, key):
        scores = (self.w(query).unsqueeze(2) + self.u(key).unsqueeze(1)).tanh() @ self.v
        return scores.masked_fill((key == 0).all(-1).unsqueeze(1), -1e9)
