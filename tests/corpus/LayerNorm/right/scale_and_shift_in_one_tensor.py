# right: scale and shift side by side in one [hidden, 2]
import torch
from torch import nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.p = nn.Parameter(torch.tensor([1.0, 0.0]).repeat(hidden_size, 1))

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + self.eps) * self.p[:, 0] + self.p[:, 1]
