# wrong: divides by the variance ** 1, and then by 2
# named: divides_by_twice_variance
import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.g = nn.Parameter(torch.ones(hidden_size)); self.b = nn.Parameter(torch.zeros(hidden_size)); self.eps = eps
    def forward(self, x):
        c = x - x.mean(-1, keepdim=True)
        var = c.pow(2).mean(-1, keepdim=True)
        return c / (var + self.eps) ** 1 / 2 * self.g + self.b
