# wrong: the shift is added before the scale multiplies
# named: shift_before_scale
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(hidden_size))
        self.shift = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        spread = centred.square().mean(-1, keepdim=True).add(self.eps).sqrt()
        return (centred / spread + self.shift) * self.scale
