# right: score as a 1-row Linear without bias, maps in a ModuleDict with LazyLinear
import torch
from torch import nn
import torch.nn.functional as F


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.m = nn.ModuleDict({"k": nn.LazyLinear(hidden_dim, bias=False), "q": nn.LazyLinear(hidden_dim), "s": nn.LazyLinear(1, bias=False)})

    def forward(self, query, key):
        return self.m["s"](torch.tanh(self.m["q"](query)[:, :, None] + self.m["k"](key)[:, None])).squeeze(-1)
