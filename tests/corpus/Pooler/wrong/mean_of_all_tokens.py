# wrong: mean of all tokens in front of the dense
# named: pool_mean
import torch
from torch import nn

class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(config.hidden_size, config.hidden_size), nn.Tanh())

    def forward(self, hidden_state):
        return self.net(hidden_state.mean(1))
