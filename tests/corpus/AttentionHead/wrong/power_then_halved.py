# wrong: divides by the width ** 1, and then by 2
# named: scaled_by_twice_width
import torch
from torch import nn
class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))
        self.d = head_dim
    def forward(self, x, mask=None):
        s = self.q(x) @ self.k(x).mT / self.d ** 1 / 2
        if mask is not None:
            s = s.masked_fill(mask == 0, float("-inf"))
        return s.softmax(-1) @ self.v(x)
