# wrong: maps in a plain dict, their weights used without gradients
# named: not_registered
import torch
from torch import nn
from torch.nn import functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.maps = {
            "up": nn.Linear(config.hidden_size, config.intermediate_size),
            "down": nn.Linear(config.intermediate_size, config.hidden_size),
        }
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_state):
        up, down = self.maps["up"], self.maps["down"]
        wide = F.gelu(hidden_state @ up.weight.data.T + up.bias.data)
        return self.dropout(wide @ down.weight.data.T + down.bias.data)
