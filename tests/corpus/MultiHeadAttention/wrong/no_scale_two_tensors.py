# wrong: no 1/sqrt(d), two [2, d, d] tensors
# named: unscaled
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Two tensors of two maps each, and no 1/√d."""

    def __init__(self, config):
        super().__init__()
        d, self.heads = config.hidden_size, config.num_attention_heads
        self.ask = nn.Parameter(torch.randn(2, d, d) * d**-0.5)
        self.tell = nn.Parameter(torch.randn(2, d, d) * d**-0.5)

    def forward(self, hidden_state, mask=None):
        b, s, d = hidden_state.shape
        q, k = torch.einsum("bse,tde->tbsd", hidden_state, self.ask)
        v = hidden_state @ self.tell[0].T
        q, k, v = (t.view(b, s, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.mT
        if mask is not None:
            scores = scores.masked_fill(mask[:, None] == 0, float("-inf"))
        return (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, s, d) @ self.tell[1].T
