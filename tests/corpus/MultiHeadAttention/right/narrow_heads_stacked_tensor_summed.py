# right: narrow heads, a [3, in, head_dim] tensor and a map back each, summed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Narrow heads, one tensor [3, hidden, head_dim] and one way back [head_dim, hidden] each."""

    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.into = nn.ParameterList([nn.Parameter(torch.randn(3, d, d // n) * 0.1) for _ in range(n)])
        self.back = nn.ParameterList([nn.Parameter(torch.randn(d // n, d) * 0.1) for _ in range(n)])

    def forward(self, hidden_state, mask=None):
        given = []
        for into, back in zip(self.into, self.back):
            q, k, v = hidden_state.unsqueeze(0) @ into[:, None]
            scores = q @ k.mT / q.shape[-1] ** 0.5
            if mask is not None:
                scores = scores.masked_fill(mask == 0, float("-inf"))
            given.append(scores.softmax(-1) @ v @ back)
        return torch.stack(given).sum(0)
