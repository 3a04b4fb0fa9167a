# right: weights and biases in two ParameterLists
import torch
from torch import nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.weights = nn.ParameterList([torch.randn(f, d) * 0.02, torch.randn(d, f) * 0.02])
        self.biases = nn.ParameterList([torch.zeros(f), torch.zeros(d)])
        self.p = config.hidden_dropout_prob

    def forward(self, x):
        x = F.linear(x, self.weights[0], self.biases[0])
        x = F.linear(F.gelu(x), self.weights[1], self.biases[1])
        return F.dropout(x, p=self.p, training=self.training)
