# wrong: shape of gamma (1,): one scalar scale and shift
# named: one_scale_for_all
import torch
from torch import nn
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(1))
        self.bias = nn.Parameter(torch.zeros(1))
        self.eps = eps
    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, correction=0)
        return self.alpha * (x - mean) / (var + self.eps).sqrt() + self.bias
