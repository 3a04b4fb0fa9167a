# wrong: unbiased standard deviation with eps outside, as in a famous tutorial
# named: unbiased_variance, eps_outside_root
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.a_2 = nn.Parameter(torch.ones(hidden_size))
        self.b_2 = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.a_2 * (x - mean) / (std + self.eps) + self.b_2
