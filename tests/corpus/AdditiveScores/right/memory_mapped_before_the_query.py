# right: the keys' map is made and used before the queries', under the names of an encoder
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.memory = nn.Linear(key_dim, hidden_dim)
        self.state = nn.Linear(query_dim, hidden_dim, bias=False)
        self.energy = nn.Parameter(torch.rand(hidden_dim) - 0.5)

    def forward(self, query, key):
        memory = self.memory(key)
        state = self.state(query)
        pairs = torch.tanh(memory[:, None, :, :] + state[:, :, None, :])
        return pairs @ self.energy
