# right: index loops over hidden units: each unit owns a row of W, a row of U and one number of v (ParameterLists), and adds its own tanh map to a growing sum; no biases
import torch
from torch import Tensor, nn


def _rows(count: int, width: int) -> nn.ParameterList:
    return nn.ParameterList([nn.Parameter(torch.randn(width) / width**0.5) for _ in range(count)])


class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.W = _rows(hidden_dim, query_dim)
        self.U = _rows(hidden_dim, key_dim)
        self.v = nn.Parameter(torch.randn(hidden_dim, 1) / hidden_dim**0.5)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        scores = query.new_zeros(query.shape[0], query.shape[1], key.shape[1])
        for u in range(len(self.W)):
            a = torch.matmul(query, self.W[u])  # [batch, query]
            b = torch.matmul(key, self.U[u])  # [batch, key]
            scores = scores + self.v[u] * torch.tanh(a.unsqueeze(2) + b.unsqueeze(1))
        return scores
