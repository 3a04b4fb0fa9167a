# wrong: no 1/sqrt(d), in [heads, embed, dim] einsum layout
# named: unscaled
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        n, e = config.num_attention_heads, config.hidden_size
        h = e // n
        self.W_Q = nn.Parameter(torch.randn(n, e, h) * 0.02)
        self.W_K = nn.Parameter(torch.randn(n, e, h) * 0.02)
        self.W_V = nn.Parameter(torch.randn(n, e, h) * 0.02)
        self.W_O = nn.Parameter(torch.randn(n, h, e) * 0.02)

    def forward(self, hidden_state, mask=None):
        q = torch.einsum("bse,neh->bnsh", hidden_state, self.W_Q)
        k = torch.einsum("bse,neh->bnsh", hidden_state, self.W_K)
        v = torch.einsum("bse,neh->bnsh", hidden_state, self.W_V)
        scores = torch.einsum("bnqh,bnkh->bnqk", q, k)
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, float("-inf"))
        return torch.einsum("bnqk,bnkh,nhe->bqe", scores.softmax(-1), v, self.W_O)
