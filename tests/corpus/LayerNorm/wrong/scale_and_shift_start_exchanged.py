# wrong: gamma and beta swapped at initialisation
# named: norm_starts_elsewhere
import torch
import torch.nn as nn

class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.zeros(hidden_size))
        self.beta = nn.Parameter(torch.ones(hidden_size))

    def forward(self, x):
        u = x.mean(-1, keepdim=True)
        s = (x - u).pow(2).mean(-1, keepdim=True)
        x = (x - u) / torch.sqrt(s + self.eps)
        return self.gamma * x + self.beta
