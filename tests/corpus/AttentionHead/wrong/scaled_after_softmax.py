# wrong: scaled after the softmax
# named: scaled_after_softmax
import math
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))

    def forward(self, hidden_state, mask=None):
        q, k, v = self.q(hidden_state), self.k(hidden_state), self.v(hidden_state)
        s = q.bmm(k.permute(0, 2, 1))
        if mask is not None:
            s = s.masked_fill(mask == 0, float("-inf"))
        return torch.softmax(s, -1).bmm(v) / math.sqrt(k.size(-1))
