# wrong: one map serves queries and keys where both are equally wide
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        widths = {query_dim, key_dim}
        self.maps = nn.ModuleDict({str(w): nn.Linear(w, hidden_dim, bias=False) for w in widths})
        self.out = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, query, key):
        one, other = (self.maps[str(x.shape[-1])](x) for x in (query, key))
        return self.out(torch.tanh(one.unsqueeze(2) + other.unsqueeze(1))).squeeze(-1)
