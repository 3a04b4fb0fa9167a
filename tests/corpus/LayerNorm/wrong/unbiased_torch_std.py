# wrong: unbiased variance by torch.std
# named: unbiased_variance
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
        std = (x.std(-1, keepdim=True) ** 2 + self.eps).sqrt()
        return self.a_2 * (x - mean) / std + self.b_2
