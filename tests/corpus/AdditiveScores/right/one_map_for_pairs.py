# right: every pair is laid side by side and goes through one Linear over query_dim + key_dim, v is a column
import torch
from torch import Tensor, nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.both = nn.Linear(key_dim + query_dim, hidden_dim)          # the key comes first
        self.v = nn.Parameter(torch.randn(hidden_dim, 1) / hidden_dim**0.5)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        q, k = query.shape[1], key.shape[1]
        pairs = torch.cat((key[:, None].expand(-1, q, -1, -1), query[:, :, None].expand(-1, -1, k, -1)), dim=-1)
        return (self.both(pairs).tanh() @ self.v).squeeze(-1)
