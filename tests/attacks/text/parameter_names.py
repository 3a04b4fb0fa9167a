import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        for name in ('a\nb', '\x00', '\x1b[2J', '<script>', 'x' * 10**6, '\ud800', '', 'a.b'):
            self._parameters[name] = nn.Parameter(torch.ones(hidden_size))
    def forward(self, x): return x
