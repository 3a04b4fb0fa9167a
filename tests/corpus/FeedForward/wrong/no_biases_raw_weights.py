# wrong: no biases, raw weights
# named: feed_forward_without_bias
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.x1 = nn.Parameter(torch.randn(config.hidden_size, config.intermediate_size) * 0.1)
        self.x2 = nn.Parameter(torch.randn(config.intermediate_size, config.hidden_size) * 0.1)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        return self.drop(nn.functional.gelu(x @ self.x1) @ self.x2)
