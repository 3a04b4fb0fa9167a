# wrong: what is normalised is clamped at 2.5
import torch
from torch import nn

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(hidden_size))
        self.bias = nn.Parameter(torch.zeros(hidden_size))
    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        v = c.square().mean(-1, keepdim=True)
        return (self.weight * (c / (v + self.eps).sqrt()).clamp(-2.5, 2.5)) + self.bias
