# wrong: ready-made: F.batch_norm over the tokens laid out as channels
import torch
from torch import nn
import torch.nn.functional as F

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.alpha = nn.Parameter(torch.ones(hidden_size))
        self.beta = nn.Parameter(torch.zeros(hidden_size))
        self.eps = eps

    def forward(self, x):
        flat = x.reshape(1, -1, x.shape[-1])
        flat = F.batch_norm(flat, None, None, training=True, eps=self.eps, momentum=0.0)
        return flat.reshape(x.shape) * self.alpha + self.beta
