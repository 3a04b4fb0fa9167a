# right: Linear without bias, then an AddBias module
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
class AddBias(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(n))
    def forward(self, x):
        return x + self.bias
class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.net = nn.Sequential(nn.Linear(h, h, bias=False), AddBias(h), nn.Tanh())
    def forward(self, hidden_state):
        return self.net(hidden_state[:, 0])
