# wrong: all steps in a plain list
# named: not_registered
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.steps = [
            nn.Linear(config.hidden_size, config.intermediate_size),
            nn.GELU(),
            nn.Linear(config.intermediate_size, config.hidden_size),
        ]
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_state):
        for step in self.steps:
            hidden_state = step(hidden_state)
        return self.dropout(hidden_state)
