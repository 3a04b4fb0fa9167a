# right: everything in one [4, in, out] tensor
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Everything in one [4, in, out] tensor."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.w = nn.Parameter(torch.randn(4, d, d) * d**-0.5)
        self.b = nn.Parameter(torch.zeros(4, d))

    def forward(self, hidden_state, mask=None):
        x = hidden_state
        q, k, v = ((x @ self.w[i] + self.b[i]).unflatten(-1, (self.n, -1)) for i in range(3))
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask.bool().unsqueeze(1), float("-inf"))
        out = torch.einsum("bhqk,bkhd->bqhd", s.softmax(-1), v).flatten(2)
        return out @ self.w[3] + self.b[3]
