# wrong: all features of a token are dropped together
# named: dropout_whole_tokens
from torch import nn
import torch


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        x = self.down(gelu(self.up(x)))
        return x * self.drop(torch.ones_like(x[..., :1]))
