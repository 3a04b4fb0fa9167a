# right: one Linear over the concatenation of query and key
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.attn = nn.Linear(query_dim + key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, query, key):
        q = query.unsqueeze(2).expand(-1, -1, key.shape[1], -1)
        k = key.unsqueeze(1).expand(-1, query.shape[1], -1, -1)
        return self.v(torch.tanh(self.attn(torch.cat([q, k], dim=-1)))).squeeze(-1)
