# right: query and key biases without names, registered first
import torch
from torch import nn
import torch.nn.functional as F


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.z1, self.z2 = nn.Parameter(torch.zeros(head_dim)), nn.Parameter(torch.zeros(head_dim))
        self.m = nn.ParameterList(nn.Parameter(torch.randn(embed_dim, head_dim) * 0.1) for _ in range(3))

    def forward(self, x, mask=None):
        v, k, q = x @ self.m[0] + self.z2, x @ self.m[1], x @ self.m[2] + self.z1
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return a.softmax(-1) @ v
