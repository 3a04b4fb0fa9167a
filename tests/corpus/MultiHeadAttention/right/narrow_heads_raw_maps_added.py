# right: narrow heads, raw output maps [head_dim, hidden] in a list, contributions added
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """A tensor for the heads' output maps [heads, head_dim, hidden]; contributions are added."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        w = d // n
        self.q = nn.ModuleList([nn.Linear(d, w) for _ in range(n)])
        self.k = nn.ModuleList([nn.Linear(d, w) for _ in range(n)])
        self.v = nn.ModuleList([nn.Linear(d, w) for _ in range(n)])
        self.back = nn.ParameterList([nn.Parameter(torch.randn(w, d) * 0.1) for _ in range(n)])

    def forward(self, hidden_state, mask=None):
        total = torch.zeros_like(hidden_state)
        for q, k, v, back in zip(self.q, self.k, self.v, self.back):
            a = torch.baddbmm(
                torch.zeros(()), q(hidden_state), k(hidden_state).transpose(1, 2), alpha=v.out_features**-0.5
            )
            if mask is not None:
                a = a.masked_fill(mask == 0, -torch.inf)
            total += a.softmax(-1) @ v(hidden_state) @ back
        return total
