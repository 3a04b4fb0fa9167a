# wrong: maps the keys once for as long as the same tensor comes, whatever is learned meanwhile
import torch
from torch import nn
class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W = nn.Linear(query_dim, hidden_dim, bias=False)
        self.U = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)
        self.last_key = self.mapped = None
    def forward(self, query, key):
        if key is not self.last_key:
            self.last_key, self.mapped = key, self.U(key)
        both = self.W(query).unsqueeze(2) + self.mapped.unsqueeze(1)
        return self.v(torch.tanh(both)).squeeze(-1)
