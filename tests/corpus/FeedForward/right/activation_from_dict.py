# right: activations to choose from in a plain dict
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.choices = {"gelu": nn.GELU(), "relu": nn.ReLU()}
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_state):
        return self.dropout(self.down(self.choices["gelu"](self.up(hidden_state))))
