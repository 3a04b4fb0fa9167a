# wrong: scaled by the root of the width, twice
# named: scaled_by_width
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.a, self.b, self.c = (nn.Linear(embed_dim, head_dim) for _ in range(3))
        self.r = head_dim**0.5

    def forward(self, hidden_state, mask=None):
        q, k = self.c(hidden_state) / self.r, self.a(hidden_state) / self.r
        s = q @ k.mT
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        return s.softmax(-1) @ self.b(hidden_state)
