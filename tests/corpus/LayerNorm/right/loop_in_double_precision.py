# right: loop over tokens, double precision
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.hidden_size, self.eps = hidden_size, eps
        self.reset()

    def reset(self):
        self.scale = nn.Parameter(torch.ones(self.hidden_size))
        self.shift = nn.Parameter(torch.zeros(self.hidden_size))

    def one(self, token):
        token = token.to(torch.float64)
        mean = token.mean()
        variance = (token * token).mean() - mean * mean
        return ((token - mean) / torch.sqrt(variance.clamp(min=0) + self.eps)).float()

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1])
        rows = [self.one(row) * self.scale + self.shift for row in flat]
        return torch.stack(rows).view_as(x)
