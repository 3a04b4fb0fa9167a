# wrong: scale and shift are plain tensors
# named: not_registered
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.g = torch.ones(hidden_size, requires_grad=True)
        self.b = torch.zeros(hidden_size, requires_grad=True)
        self.eps = eps

    def forward(self, x):
        v, m = torch.var_mean(x, -1, correction=0, keepdim=True)
        return self.g * (x - m) / (v + self.eps).sqrt() + self.b
