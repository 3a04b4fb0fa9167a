# wrong: mask inverted, two [2, in, out] tensors
# named: mask_inverted
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Keys and values in one tensor, queries and output in another; the mask is taken to hide."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.inner = nn.Parameter(0.2 * torch.randn(2, d, d))
        self.outer = nn.Parameter(0.2 * torch.randn(2, d, d))
        self.b = nn.Parameter(torch.zeros(4, d))

    def forward(self, x, mask=None):
        q = x @ self.outer[0] + self.b[0]
        k, v = x @ self.inner[0] + self.b[1], x @ self.inner[1] + self.b[2]
        q, k, v = (t.unflatten(-1, (self.n, -1)).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.bool().unsqueeze(1), float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.outer[1] + self.b[3]
