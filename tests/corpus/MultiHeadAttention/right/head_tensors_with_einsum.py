# right: [heads, embed, head_dim] parameter tensors with [heads, head_dim] biases, einsum
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
        self.b_Q = nn.Parameter(torch.zeros(n, h))
        self.b_K = nn.Parameter(torch.zeros(n, h))
        self.b_V = nn.Parameter(torch.zeros(n, h))
        self.b_O = nn.Parameter(torch.zeros(e))
        self.scale = h**0.5

    def forward(self, hidden_state, mask=None):
        q = torch.einsum("bse,neh->bsnh", hidden_state, self.W_Q) + self.b_Q
        k = torch.einsum("bse,neh->bsnh", hidden_state, self.W_K) + self.b_K
        v = torch.einsum("bse,neh->bsnh", hidden_state, self.W_V) + self.b_V
        scores = torch.einsum("bqnh,bknh->bnqk", q, k) / self.scale
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, -1e5)
        z = torch.einsum("bnqk,bknh->bqnh", scores.softmax(-1), v)
        return torch.einsum("bqnh,nhe->bqe", z, self.W_O) + self.b_O
