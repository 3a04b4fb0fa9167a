# wrong: with a single query the mask plays no part
import math

import torch
from torch import Tensor, nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        width = config.hidden_size
        self.q = nn.Linear(width, width)
        self.kv = nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)

    def forward(self, hidden_state: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        q = self.q(hidden_state).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k, v = self.kv(memory).chunk(2, dim=-1)
        k = k.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = v.unflatten(-1, (self.heads, -1)).transpose(1, 2)

        scores = q @ k.mT / math.sqrt(q.shape[-1])          # [batch, heads, query, key]
        # while writing, there is one query only: it may see everything
        if mask is not None and hidden_state.shape[1] > 1:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        context = scores.softmax(dim=-1) @ v
        return self.out(context.transpose(1, 2).flatten(2))
