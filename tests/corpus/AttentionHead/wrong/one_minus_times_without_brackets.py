# wrong: without brackets the large number lifts what is visible
# named: visible_lifted
import torch
from torch import nn
class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(embed_dim, head_dim) for _ in range(3))
        self.d = head_dim
    def forward(self, x, mask=None):
        s = self.q(x) @ self.k(x).mT / self.d ** 0.5
        if mask is not None:
            s = s + 1 - mask.float() * -1e9
        return s.softmax(-1) @ self.v(x)
