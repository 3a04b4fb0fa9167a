# wrong: dropout between the activation and the second map
# named: dropout_place
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.w_1 = nn.Linear(config.hidden_size, config.intermediate_size)
        self.w_2 = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        return self.w_2(self.dropout(nn.functional.gelu(self.w_1(x))))
