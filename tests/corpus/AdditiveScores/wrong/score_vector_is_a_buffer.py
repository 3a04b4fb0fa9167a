# wrong: v is a buffer: saved and moved, but never learned
# named: buffered
import torch
from torch import nn


class AdditiveScores(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        bound = hidden_dim ** -0.5
        self.W = nn.Parameter(torch.empty(hidden_dim, query_dim).uniform_(-bound, bound))
        self.U = nn.Parameter(torch.empty(hidden_dim, key_dim).uniform_(-bound, bound))
        self.register_buffer("v", torch.empty(hidden_dim).uniform_(-bound, bound))

    def forward(self, query, key):
        wq = torch.einsum("bqd,hd->bqh", query, self.W)
        uk = torch.einsum("bkd,hd->bkh", key, self.U)
        pairs = torch.tanh(wq[:, :, None] + uk[:, None])
        return torch.einsum("bqkh,h->bqk", pairs, self.v)
