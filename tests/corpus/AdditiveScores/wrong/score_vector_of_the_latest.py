# wrong: the vector v is reached through the class: the latest one made counts for all
# named: shared_with_another
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.w = nn.Linear(query_dim, hidden_dim, bias=False)
        self.u = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Parameter(torch.randn(hidden_dim))
        AdditiveScores.vectors = [self.v]

    def forward(self, query, key):
        mixed = self.w(query).unsqueeze(2) + self.u(key).unsqueeze(1)
        return mixed.tanh() @ AdditiveScores.vectors[0]
