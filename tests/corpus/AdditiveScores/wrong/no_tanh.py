# wrong: no tanh, weights over the concatenation
# named: no_tanh
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w = nn.Linear(query_dim + key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, query, key):
        q = query.unsqueeze(2).expand(-1, -1, key.size(1), -1)
        k = key.unsqueeze(1).expand(-1, query.size(1), -1, -1)
        return self.v(self.w(torch.cat((q, k), -1))).squeeze(-1)
