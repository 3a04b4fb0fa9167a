# wrong: F.batch_norm over the features: statistics of the batch
# named: norm_over_batch, norm_over_batch_and_positions
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
        y = F.batch_norm(x.transpose(1, 2), None, None, self.alpha, self.beta, True, 0.0, self.eps)
        return y.transpose(1, 2)
