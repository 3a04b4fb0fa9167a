# wrong: a fixed number for the scale: root of 64
# named: scaled_by_eight
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.qk = nn.Linear(embed_dim, 2 * head_dim)
        self.v = nn.Linear(embed_dim, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k = self.qk(hidden_state).chunk(2, -1)
        s = q @ k.mT / 64**0.5
        if mask is not None:
            s = s.masked_fill(mask == 0, -1e9)
        return s.softmax(-1) @ self.v(hidden_state)
