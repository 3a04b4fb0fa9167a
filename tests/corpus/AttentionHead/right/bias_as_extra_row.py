# right: bias as an extra row of one fused [in + 1, 3 * dim] matrix
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.w = nn.Parameter(torch.randn(embed_dim + 1, 3 * head_dim) * 0.1)

    def forward(self, x, mask=None):
        q, k, v = (x @ self.w[:-1] + self.w[-1]).chunk(3, -1)
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return a.softmax(-1) @ v
