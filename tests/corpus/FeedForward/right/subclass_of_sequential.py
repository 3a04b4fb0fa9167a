# right: subclass of nn.Sequential
from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, config):
        super().__init__(
            nn.Linear(config.hidden_size, config.intermediate_size),
            nn.GELU(),
            nn.Linear(config.intermediate_size, config.hidden_size),
            nn.Dropout(config.hidden_dropout_prob),
        )
