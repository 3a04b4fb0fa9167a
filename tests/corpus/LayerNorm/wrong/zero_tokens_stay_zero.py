# wrong: a token of zeros comes out as zeros, without the shift
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))

    def forward(self, x):
        centred = x - x.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        out = self.weight * centred / (variance + self.eps).sqrt() + self.bias
        return torch.where((x == 0).all(-1, keepdim=True), x, out)
