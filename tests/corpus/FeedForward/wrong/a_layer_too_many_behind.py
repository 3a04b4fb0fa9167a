# wrong: a third linear map stands behind
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, inner = config.hidden_size, config.intermediate_size
        widen, narrow, more = nn.Linear(d, inner), nn.Linear(inner, d), nn.Linear(d, d)
        self.layers = nn.Sequential(widen, nn.GELU(), narrow, more, nn.Dropout(config.hidden_dropout_prob))

    def forward(self, hidden_state):
        return self.layers(hidden_state)
