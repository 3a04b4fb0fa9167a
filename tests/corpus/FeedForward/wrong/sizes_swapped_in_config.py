# wrong: swaps two sizes in the config that it is given, for its second map
import torch
from torch import nn
class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.widen = nn.Linear(config.hidden_size, config.intermediate_size)
        config.hidden_size, config.intermediate_size = config.intermediate_size, config.hidden_size
        self.narrow = nn.Linear(config.hidden_size, config.intermediate_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
    def forward(self, x):
        x = self.widen(x)
        return self.dropout(self.narrow(x * 0.5 * (1 + torch.erf(x / 2**0.5))))
