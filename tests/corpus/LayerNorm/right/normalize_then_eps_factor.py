# right: F.normalize of the centred token, then a factor for eps
import torch
from torch import nn
from torch.nn import functional as F
class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.w = nn.Parameter(torch.ones(hidden_size))
        self.b = nn.Parameter(torch.zeros(hidden_size))
    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1]); n = x.shape[-1]
        c = x - x.mean(-1, keepdim=True)
        y = F.normalize(c, dim=-1) * n ** 0.5 * (c.norm(dim=-1, keepdim=True) / (c.norm(dim=-1, keepdim=True) ** 2 + n * self.eps).sqrt())
        return y.reshape(x.shape) * self.w + self.b
