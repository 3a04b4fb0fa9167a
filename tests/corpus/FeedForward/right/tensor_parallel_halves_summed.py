# right: grouped tensor-parallel halves summed
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.a = nn.Linear(config.hidden_size, config.intermediate_size // 2)
        self.b = nn.Linear(config.hidden_size, config.intermediate_size - config.intermediate_size // 2)
        self.a2 = nn.Linear(config.intermediate_size // 2, config.hidden_size, bias=False)
        self.b2 = nn.Linear(config.intermediate_size - config.intermediate_size // 2, config.hidden_size, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.hidden_size))
        self.drop = nn.Dropout(p=config.hidden_dropout_prob)

    def forward(self, x):
        out = self.a2(F.gelu(self.a(x))) + self.b2(F.gelu(self.b(x))) + self.bias
        return self.drop(out)
