# right: [3, embed, dim] tensor with a [3, dim] bias, einsum
import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, embed_dim, head_dim):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(3, embed_dim, head_dim) / embed_dim**0.5)
        self.bias = nn.Parameter(torch.zeros(3, head_dim))

    def forward(self, hidden_state, mask=None):
        q, k, v = torch.einsum("bse,ceh->cbsh", hidden_state, self.weight) + self.bias[:, None, None, :]
        s = torch.einsum("bqh,bkh->bqk", q, k) * q.size(-1) ** -0.5
        if mask is not None:
            s = s.masked_fill(~mask.bool(), float("-inf"))
        return torch.einsum("bqk,bkh->bqh", s.softmax(dim=-1), v)
