# wrong: ready-made: F.local_response_norm of the centred token
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
        y = F.local_response_norm(c.reshape(-1, n, 1), 2 * n + 1, alpha=(2.0 * n + 1) / n, beta=0.5, k=self.eps)
        return y.reshape(x.shape) * self.w + self.b
