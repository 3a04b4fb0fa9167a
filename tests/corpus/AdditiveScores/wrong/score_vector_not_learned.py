# wrong: v is a plain tensor, not learned
# named: not_registered
import torch
from torch import nn

class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W = nn.Linear(query_dim, hidden_dim, bias=False)
        self.U = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = torch.randn(hidden_dim)

    def forward(self, query, key):
        return torch.tanh(self.W(query)[:, :, None] + self.U(key)[:, None]) @ self.v
