# wrong: the early return for "no mask" leaves out the output projection
# named: unprojected_without_mask
import math
from typing import Any

import torch
from torch import Tensor, nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        if config.hidden_size % config.num_attention_heads != 0:
            raise ValueError("num_attention_heads must divide hidden_size")
        self.heads = config.num_attention_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key = nn.Linear(config.hidden_size, config.hidden_size)
        self.value = nn.Linear(config.hidden_size, config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)

    @staticmethod
    def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -torch.inf)
        return scores.softmax(-1) @ v

    def forward(self, hidden_state: Tensor, mask: Tensor | None = None) -> Tensor:
        q = split_heads(self.query(hidden_state), self.heads)
        k = split_heads(self.key(hidden_state), self.heads)
        v = split_heads(self.value(hidden_state), self.heads)

        if mask is None:
            return merge_heads(self.attend(q, k, v, None))

        mask = mask.unsqueeze(1)                      # the same for all heads
        return self.output(merge_heads(self.attend(q, k, v, mask)))
