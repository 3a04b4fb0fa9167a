import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.many = nn.ParameterList([nn.Parameter(torch.rand(h, h)) for _ in range(150)])
        self.axes = nn.Parameter(torch.rand([1] * 10 + [2] * 15))
        self.none = nn.Parameter(torch.zeros(()))
        self.empty = nn.Parameter(torch.zeros(0, 5))
        self.complex = nn.Parameter(torch.zeros(h, h, dtype=torch.complex64))
        self.whole = nn.Parameter(torch.zeros(h, h, dtype=torch.long), requires_grad=False)
    def forward(self, x, attention_mask=None): return x
