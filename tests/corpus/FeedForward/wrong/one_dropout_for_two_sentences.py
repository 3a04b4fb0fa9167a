# wrong: one dropout is drawn for two sentences
# named: dropout_shared
import torch
from torch import nn

class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.widen = nn.Linear(config.hidden_size, config.intermediate_size)
        self.narrow = nn.Linear(config.intermediate_size, config.hidden_size)
        self.p = config.hidden_dropout_prob

    def forward(self, x):
        x = self.narrow(nn.functional.gelu(self.widen(x)))
        if self.training and self.p > 0:
            half = (x.shape[0] + 1) // 2                   # the same for two sentences
            keep = torch.rand(half, *x.shape[1:], device=x.device) >= self.p
            x = x * keep.repeat(2, 1, 1)[: x.shape[0]] / (1 - self.p)
        return x
