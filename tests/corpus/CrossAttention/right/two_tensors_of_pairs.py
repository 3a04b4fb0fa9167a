# right: keys and values in one [2, d, d] tensor, queries and output in another
import torch
from torch import nn


class CrossAttention(nn.Module):
    """What reads the memory in one tensor, what reads and writes the hidden state in another."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.memory_maps = nn.Parameter(torch.randn(2, d, d) * d**-0.5)
        self.own_maps = nn.Parameter(torch.randn(2, d, d) * d**-0.5)
        self.memory_shifts, self.own_shifts = nn.Parameter(torch.zeros(2, d)), nn.Parameter(torch.zeros(2, d))

    def forward(self, hidden_state, memory, memory_mask=None):
        k, v = torch.einsum("bsd,tde->tbse", memory, self.memory_maps) + self.memory_shifts[:, None, None]
        q = hidden_state @ self.own_maps[0] + self.own_shifts[0]
        q, k, v = (t.unflatten(-1, (self.n, -1)).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if memory_mask is not None:
            scores = scores.masked_fill(memory_mask.unsqueeze(1) == 0, float("-inf"))
        out = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
        return out @ self.own_maps[1] + self.own_shifts[1]
