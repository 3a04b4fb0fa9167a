# wrong: zero filled before the softmax, fused projection
# named: mask_fills_zero
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.p = nn.Linear(embed_dim, 3 * head_dim, bias=False)

    def forward(self, hidden_state, mask=None):
        a, b, c = self.p(hidden_state).chunk(3, -1)
        s = c @ b.transpose(1, 2) / c.size(-1) ** 0.5
        if mask is not None:
            s = s * mask
        return s.softmax(-1) @ a
