# wrong: the first mask of a shape is kept and used for later ones
# named: earlier_call_counts
import torch
from torch import nn

class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))
        self._bias = None

    def forward(self, hidden_state, mask=None):
        s = self.q(hidden_state) @ self.k(hidden_state).mT * self.q.out_features ** -0.5
        if mask is not None:
            if self._bias is None or self._bias.shape != mask.shape:
                self._bias = torch.zeros(mask.shape).masked_fill(mask == 0, float("-inf"))
            s = s + self._bias
        return s.softmax(-1) @ self.v(hidden_state)
