# right: a map of queries, keys, values and output for each head, each head adds its share of the output
import math

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        if d % h != 0:
            raise ValueError("hidden_size must be divisible by num_attention_heads")
        make = lambda *s: nn.ParameterList(nn.Parameter(torch.randn(*s) / math.sqrt(s[0])) for _ in range(h))
        self.wq, self.wk, self.wv = make(d, d // h), make(d, d // h), make(d, d // h)
        self.wo = make(d // h, d)
        self.d_head = d // h

    def forward(self, hidden_state, mask=None):
        total = 0
        for wq, wk, wv, wo in zip(self.wq, self.wk, self.wv, self.wo):
            q, k, v = hidden_state @ wq, hidden_state @ wk, hidden_state @ wv
            logits = torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(self.d_head)
            if mask is not None:
                logits = torch.where(mask.bool(), logits, float("-inf"))
            total = total + logits.softmax(-1) @ (v @ wo)
        return total
