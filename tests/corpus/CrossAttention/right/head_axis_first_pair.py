# right: golf with the head axis in the parameters: queries [heads, hidden, d], a stacked pair (keys, values) [2, heads, hidden, d], output [heads, d, hidden]; the keys' matrix is multiplied into the query side (scores = q Wk memᵀ), so keys are never formed
from typing import Any

import torch
from torch import Tensor, einsum, nn


class CrossAttention(nn.Module):
    def __init__(self, config: Any) -> None:
        super().__init__()
        c, h = config.hidden_size, config.num_attention_heads
        d = c // h
        self.ask = nn.Parameter(torch.randn(h, c, d) * c**-0.5)
        self.answer = nn.Parameter(torch.randn(2, h, c, d) * c**-0.5)
        self.out = nn.Parameter(torch.randn(h, d, c) * c**-0.5)

    def forward(self, hidden_state: Tensor, memory: Tensor, mask: Tensor | None = None) -> Tensor:
        key, value = self.answer
        into_memory = einsum("bqc,hcd,hed->bhqe", hidden_state, self.ask, key)
        scores = einsum("bhqe,bke->bhqk", into_memory, memory) * self.ask.shape[-1] ** -0.5
        if mask is not None:
            hidden = (mask.bool() ^ True)[:, None].expand_as(scores)
            scores = scores.masked_fill(hidden, -torch.inf)
        found = einsum("bhqk,bke->bhqe", scores.softmax(-1), memory)
        return einsum("bhqe,hed,hdc->bqc", found, value, self.out)
