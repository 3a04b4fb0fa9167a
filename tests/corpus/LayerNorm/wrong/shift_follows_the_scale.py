# wrong: one vector: the shift is half the scale
import math
import torch
from torch import nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.log_scale, self.eps = nn.Parameter(torch.zeros(hidden_size)), eps

    def forward(self, x):
        y = (x - x.mean(-1, True)) / (x.var(-1, correction=0, keepdim=True) + self.eps).sqrt()
        return y * self.log_scale.exp() + 0.5 * self.log_scale.exp()
