# right: addmm on flattened tokens, broadcast with repeat_interleave
import torch
from torch import nn, Tensor
class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.register_parameter("wt", nn.Parameter(torch.randn(query_dim, hidden_dim) * 0.2))
        self.register_parameter("ut", nn.Parameter(torch.randn(key_dim, hidden_dim) * 0.2))
        self.register_parameter("bias", nn.Parameter(torch.zeros(hidden_dim)))
        self.register_parameter("v", nn.Parameter(torch.randn(hidden_dim, 1) * 0.2))
    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        b, n, _ = query.shape
        m = key.shape[1]
        q = torch.addmm(self.bias, query.reshape(b * n, -1), self.wt).view(b, n, -1).repeat_interleave(m, dim=1)
        k = (key @ self.ut).repeat(1, n, 1)
        return torch.tanh(q + k).matmul(self.v).view(b, n, m)
