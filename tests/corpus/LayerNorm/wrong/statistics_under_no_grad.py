# wrong: statistics under no_grad
# named: statistics_detached, gradient_stopped
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.beta = nn.Parameter(torch.zeros(hidden_size))
        self.gamma = nn.Parameter(torch.ones(hidden_size))
        self.eps = eps

    def forward(self, x):
        with torch.no_grad():
            m = x.mean(-1, keepdim=True)
            r = ((x - m) ** 2).mean(-1, keepdim=True).add(self.eps).rsqrt()
        return (x - m) * r * self.gamma + self.beta
