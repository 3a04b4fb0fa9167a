# wrong: mapped keys are kept from the first call while their shape fits
# named: earlier_call_counts
from torch import Tensor, nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim: int, key_dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.W = nn.Linear(query_dim, hidden_dim, bias=False)
        self.U = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)
        self._mapped: Tensor | None = None

    def forward(self, query: Tensor, key: Tensor) -> Tensor:
        # a decoder asks about the same encoder states at each of its steps: U k need be done once
        if self._mapped is None or self._mapped.shape[:2] != key.shape[:2]:
            self._mapped = self.U(key)
        hidden = (self.W(query).unsqueeze(2) + self._mapped.unsqueeze(1)).tanh()
        return self.v(hidden).squeeze(-1)
