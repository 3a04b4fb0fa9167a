# wrong: eps 0 is taken for none and becomes 1e-12
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.hidden_size = hidden_size
        self.eps = eps or 1e-12          # some configs leave it out
        self.register_parameter("scale", nn.Parameter(torch.ones(hidden_size)))
        self.register_parameter("shift", nn.Parameter(torch.zeros(hidden_size)))

    def forward(self, x):
        mu = torch.einsum("...h->...", x) / self.hidden_size
        d = x - mu[..., None]
        var = torch.einsum("...h,...h->...", d, d) / self.hidden_size
        return d * (var + self.eps).rsqrt()[..., None] * self.scale + self.shift
