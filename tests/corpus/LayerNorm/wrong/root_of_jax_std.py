# wrong: the square root of the standard deviation
# named: root_of_spread
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(hidden_size))
        self.offset = nn.Parameter(torch.zeros(hidden_size))
        self.tiny = eps

    def forward(self, x):
        middle = x.mean(-1, keepdim=True)
        spread = x.std(-1, keepdim=True, unbiased=False)
        return self.gain * (x - middle) * torch.rsqrt(spread + self.tiny) + self.offset
