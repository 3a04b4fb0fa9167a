# wrong: the dropout in a plain tuple: eval() does not reach it
# named: not_registered
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.rest = (nn.GELU(), nn.Dropout(config.hidden_dropout_prob))

    def forward(self, hidden_state):
        act, drop = self.rest
        return drop(self.down(act(self.up(hidden_state))))
