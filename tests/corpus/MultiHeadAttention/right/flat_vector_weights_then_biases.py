# right: flat vector, own order w then b, nn.Linear orientation
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.d = config.hidden_size
        self.n = config.num_attention_heads
        if self.d % self.n:
            raise ValueError("heads must divide d")
        self.flat = nn.Parameter(0.1 * torch.randn(4 * self.d * (self.d + 1)))

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        w = self.flat[: 4 * d * d].view(4, d, d)
        c = self.flat[4 * d * d:].view(4, d)
        q, k, v = [F.linear(hidden_state, w[i], c[i]).view(b, t, self.n, -1).transpose(1, 2) for i in range(3)]
        m = None if mask is None else mask.bool().unsqueeze(1)
        a = F.scaled_dot_product_attention(q, k, v, m).transpose(1, 2).reshape(b, t, d)
        return F.linear(a, w[3], c[3])
