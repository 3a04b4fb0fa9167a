# wrong: a fixed dropout that happens to be the rate of one config
# named: dropout_rate
import torch
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.intermediate_size)
        self.b = nn.Linear(config.intermediate_size, config.hidden_size)
        self.d = nn.Dropout(0.2)
    def forward(self, x):
        return self.d(self.b(nn.functional.gelu(self.a(x))))
