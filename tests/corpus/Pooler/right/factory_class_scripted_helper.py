# right: alias of a factory class with jit-scripted helper
import math
from collections import OrderedDict
from functools import partial
import torch
from torch import nn
import torch.nn.functional as F
@torch.jit.script
def fused_tanh_bias(x: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x + b)
def make_pooler():
    class _Pooler(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.dense = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
            self.dense_bias = nn.Parameter(torch.zeros(config.hidden_size))
            self.alias = self.dense
        def forward(self, hidden_state):
            return fused_tanh_bias(self.alias(hidden_state.select(1, 0)), self.dense_bias)
    return _Pooler
Pooler = make_pooler()
