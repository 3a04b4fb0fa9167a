# right: biases registered before the weights, the other way round, meaningless names
import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.r = nn.Parameter(torch.zeros(d))
        self.s = nn.Parameter(torch.zeros(f))
        self.t = nn.Parameter(torch.randn(d, f) / d**0.5)
        self.u = nn.Parameter(torch.randn(f, d) / f**0.5)
        self.last = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x):
        h = torch.einsum("...d,df->...f", x, self.t) + self.s
        h = 0.5 * h * (1 + torch.erf(h * 2**-0.5))
        return self.last(torch.einsum("...f,fd->...d", h, self.u) + self.r)
