# wrong: the second instance's maps become those of the first, through a class attribute
# named: shared_with_another
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.one = nn.Linear(config.hidden_size, config.intermediate_size)
        self.two = nn.Linear(config.intermediate_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        FeedForward.maps = (self.one, self.two)

    def forward(self, x):
        one, two = FeedForward.maps
        return self.dropout(two(nn.functional.gelu(one(x))))
