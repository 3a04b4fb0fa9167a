# right: maps side by side with gain
import math
import torch
from torch import nn
import torch.nn.functional as F


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(hidden_dim, key_dim + query_dim) * 0.3)
        self.g = nn.Parameter(torch.ones(hidden_dim, 1))
        self.v = nn.Parameter(torch.randn(hidden_dim, 1))
        self.key_dim = key_dim

    def forward(self, query, key):
        w = self.g * self.w
        k = F.linear(key, w[:, : self.key_dim]).unsqueeze(1)
        q = F.linear(query, w[:, self.key_dim :]).unsqueeze(2)
        return (torch.tanh(q + k) @ self.v).squeeze(-1)
