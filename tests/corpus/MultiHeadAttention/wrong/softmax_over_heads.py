# wrong: softmax over the heads, sdpa-like einsum, raw weights
# named: softmax_over_heads
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.w1, self.w2, self.w3, self.w4 = (nn.Parameter(torch.randn(d, d) * 0.1) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        q, k, v = ((hidden_state @ w).unflatten(2, (self.n, -1)) for w in (self.w1, self.w2, self.w3))
        s = torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, -1e9)
        a = torch.softmax(s, dim=1)
        return torch.einsum("bhij,bjhd->bihd", a, v).flatten(2) @ self.w4
