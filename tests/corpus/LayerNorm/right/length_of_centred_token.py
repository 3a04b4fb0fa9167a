# right: length of the centred token, ParameterDict
import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, hidden_size, eps=1e-12):
        super().__init__()
        self.affine = nn.ParameterDict({"beta": torch.zeros(hidden_size), "gamma": torch.ones(hidden_size)})
        self.eps = eps

    def forward(self, x):
        d = x - torch.mean(x, -1, True)
        n = torch.linalg.vector_norm(d, dim=-1, keepdim=True)
        rms = torch.sqrt(n * n / x.shape[-1] + self.eps)
        return d.div(rms).mul(self.affine["gamma"]).add(self.affine["beta"])
