# right: two [2, in, out] tensors: keys and values, queries and output, one bias tensor
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    """What is stored transposed: keys with values, queries with the output map."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.inner = nn.Parameter(0.2 * torch.randn(2, d, d))
        self.outer = nn.Parameter(0.2 * torch.randn(2, d, d))
        self.b = nn.Parameter(torch.zeros(4, d))

    def forward(self, hidden_state, mask=None):
        x = hidden_state
        q = x @ self.outer[0] + self.b[0]
        k = x @ self.inner[0] + self.b[1]
        v = x @ self.inner[1] + self.b[2]
        q, k, v = (t.unflatten(-1, (self.n, -1)).transpose(1, 2) for t in (q, k, v))
        keep = None if mask is None else mask.bool().unsqueeze(1)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        return out.transpose(1, 2).flatten(2) @ self.outer[1] + self.b[3]
