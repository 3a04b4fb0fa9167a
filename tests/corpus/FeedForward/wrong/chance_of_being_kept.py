# wrong: the dropout is given the chance of being kept
# named: dropout_rate
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        wide, keep = config.intermediate_size, 1 - config.hidden_dropout_prob
        self.up, self.down = nn.Linear(config.hidden_size, wide), nn.Linear(wide, config.hidden_size)
        self.drop = nn.Dropout(p=keep)

    def forward(self, x):
        return self.drop(self.down(gelu(self.up(x))))
