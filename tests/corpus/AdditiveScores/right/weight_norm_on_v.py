# right: v with a direction and a length, as Luong's normed variant
import math
import torch
from torch import nn
import torch.nn.functional as F


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w, self.u = nn.Linear(query_dim, hidden_dim, bias=False), nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Parameter(torch.randn(hidden_dim))
        self.g = nn.Parameter(torch.tensor(1.0))
        self.b = nn.Parameter(torch.zeros(hidden_dim))

    def forward(self, query, key):
        v = self.g * self.v / self.v.norm()
        return (v * torch.tanh(self.w(query)[:, :, None] + self.u(key)[:, None] + self.b)).sum(-1)
