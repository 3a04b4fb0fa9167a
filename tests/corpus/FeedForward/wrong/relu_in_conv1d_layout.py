# wrong: ReLU in a Conv1d layout
# named: relu
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(config.hidden_size, config.intermediate_size, 1),
            nn.ReLU(),
            nn.Conv1d(config.intermediate_size, config.hidden_size, 1),
            nn.Dropout(config.hidden_dropout_prob),
        )

    def forward(self, x):
        return self.net(x.transpose(1, 2)).transpose(1, 2)
