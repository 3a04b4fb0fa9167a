import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.held = nn.ParameterList([nn.Parameter(torch.zeros(0, 2**40)) for _ in range(170)])
    def forward(self, x, mask=None):
        return x
