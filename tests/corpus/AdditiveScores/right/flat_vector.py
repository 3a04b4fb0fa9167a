# right: all numbers in one vector
import math
import torch
from torch import nn
import torch.nn.functional as F


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.cuts = [query_dim * hidden_dim, key_dim * hidden_dim, hidden_dim]
        self.hidden = hidden_dim
        self.all = nn.Parameter(torch.randn(sum(self.cuts)) * 0.1)

    def forward(self, query, key):
        w, u, v = self.all.split(self.cuts)
        q, k = query @ w.view(-1, self.hidden), key @ u.view(-1, self.hidden)
        return torch.tanh(q[:, :, None] + k[:, None]) @ v
