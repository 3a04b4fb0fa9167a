# wrong: the first token whose vector is not 0 is taken
import torch
from torch import nn


class Pooler(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, hidden_state):
        first = (hidden_state != 0).any(-1).int().argmax(1)
        return self.dense(hidden_state[torch.arange(len(hidden_state)), first]).tanh()
