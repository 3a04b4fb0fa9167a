import torch
from torch import nn
KINDS = (torch.complex64, torch.complex128, torch.float8_e5m2, torch.bool, torch.int64)
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        held = [torch.ones(size, size).to(kind) for kind in KINDS]
        held.append(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]))
        self.held = nn.ParameterList([nn.Parameter(each, False) for each in held])
    def forward(self, x, mask=None):
        return x * self.held[0].abs().sum()
