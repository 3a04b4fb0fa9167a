# right: queries and keys in one [2, in, out] tensor, hidden scores -1e4
import torch
from torch import nn


class AttentionHead(nn.Module):
    """Queries and keys stored together, values alone; hidden scores very low, not -inf."""

    def __init__(self, hidden_size, head_dim):
        super().__init__()
        self.qk = nn.Parameter(torch.randn(2, hidden_size, head_dim) * 0.1)
        self.qk_bias = nn.Parameter(torch.zeros(2, 1, head_dim))
        self.v = nn.Linear(hidden_size, head_dim)

    def forward(self, hidden_state, mask=None):
        q, k = (hidden_state @ w + b for w, b in zip(self.qk, self.qk_bias))
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e4)
        return scores.softmax(-1) @ self.v(hidden_state)
