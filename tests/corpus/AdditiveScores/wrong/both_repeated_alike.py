# wrong: queries and keys are repeated in the same way, so their pairs do not match
# named: pairs_out_of_order
import torch
from torch import Tensor, nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.W = nn.Linear(query_dim, hidden_dim, bias=False)
        self.U = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        b, n_q, _ = query.shape
        n_k = key.shape[1]
        # all pairs in one long list: n_q * n_k of them
        q = self.W(query).repeat(1, n_k, 1)                  # [b, n_q*n_k, hidden]
        k = self.U(key).repeat(1, n_q, 1)                    # [b, n_q*n_k, hidden]
        s = self.v(torch.tanh(q + k))                        # [b, n_q*n_k, 1]
        return s.view(b, n_q, n_k)
