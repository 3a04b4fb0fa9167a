# right: centring matrix, torch.linalg.vector_norm over root n plus eps n
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.register_buffer("centre", torch.eye(hidden_size) - 1.0 / hidden_size)
        self.scale_and_shift = nn.Parameter(torch.stack([torch.ones(hidden_size), torch.zeros(hidden_size)]))
        self.eps = eps

    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        n = x.size(-1)
        length = (c.square().sum(-1, keepdim=True) + n * self.eps).sqrt()
        g, b = self.scale_and_shift.unbind(0)
        return torch.add(c / length * n ** 0.5 * g, b)
