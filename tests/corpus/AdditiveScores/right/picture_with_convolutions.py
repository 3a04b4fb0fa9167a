# right: pairs are the pixels of a picture; W and U are Conv1d, v is a Conv2d with one channel out
import torch
from torch import Tensor, nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.v = nn.Conv2d(hidden_dim, 1, 1, bias=False)
        self.U = nn.Conv1d(key_dim, hidden_dim, 1, bias=True)
        self.W = nn.Conv1d(query_dim, hidden_dim, 1, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        rows = self.W(query.permute(0, 2, 1)).unsqueeze(3)
        columns = self.U(key.permute(0, 2, 1)).unsqueeze(2)
        return self.v(torch.tanh(rows + columns))[:, 0]
