# wrong: scale and shift kept as buffers
# named: not_registered, norm_without_parameters
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.register_buffer("weight", torch.ones(hidden_size))
        self.register_buffer("bias", torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        v, m = torch.var_mean(x, -1, correction=0, keepdim=True)
        return self.weight * (x - m) / (v + self.eps).sqrt() + self.bias
