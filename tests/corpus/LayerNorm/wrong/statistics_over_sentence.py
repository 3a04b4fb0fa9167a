# wrong: statistics over the whole sentence
# named: norm_over_sentence
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(hidden_size))
        self.gamma = nn.Parameter(torch.ones(hidden_size))
        self.eps = eps

    def forward(self, x):
        m = x.mean((1, 2), keepdim=True)
        v = ((x - m) ** 2).mean((1, 2), keepdim=True)
        return torch.rsqrt(v + self.eps) * (x - m) * self.gamma + self.beta
