# wrong: the sigmoid is stretched to −1…1, which is a tanh of half the number
# named: half_as_steep
import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.linear = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state):
        return self.linear(hidden_state[:, 0]).sigmoid().mul(2).sub(1)
