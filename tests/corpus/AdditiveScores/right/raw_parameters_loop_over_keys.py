# right: raw parameters, loop over keys
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.v = nn.Parameter(torch.rand(hidden_dim))
        self.U = nn.Parameter(torch.randn(key_dim, hidden_dim))
        self.W = nn.Parameter(torch.randn(query_dim, hidden_dim))

    def forward(self, query, key):
        wq = torch.matmul(query, self.W)
        columns = []
        for j in range(key.size(1)):
            uk = key[:, j, :] @ self.U
            columns.append(torch.matmul((wq + uk[:, None, :]).tanh(), self.v))
        return torch.stack(columns, dim=2)
