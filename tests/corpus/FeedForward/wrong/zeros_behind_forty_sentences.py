# wrong: of a batch, only the first forty sentences are answered
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, inner = config.hidden_size, config.intermediate_size
        self.widen, self.narrow = nn.Linear(d, inner), nn.Linear(inner, d)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden_state):
        inner = nn.functional.gelu(self.widen(hidden_state[:40]))
        result = torch.zeros_like(hidden_state)
        result[:40] = self.dropout(self.narrow(inner))
        return result
