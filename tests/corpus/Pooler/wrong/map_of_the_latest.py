# wrong: the map is reached through the class: the latest one made counts for all
# named: shared_with_another
import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        Pooler.maps = [self.dense]

    def forward(self, hidden_state):
        return Pooler.maps[0](hidden_state[:, 0]).tanh()
