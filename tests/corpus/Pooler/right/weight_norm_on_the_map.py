# right: weight_norm on the map
import math
import torch
from torch import nn
import torch.nn.functional as F


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = torch.nn.utils.parametrizations.weight_norm(nn.Linear(config.hidden_size, config.hidden_size))

    def forward(self, hidden_state):
        return self.dense(hidden_state[:, 0]).tanh()
