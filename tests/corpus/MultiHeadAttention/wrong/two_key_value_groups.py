# wrong: two kv groups for all heads repeated with repeat instead of repeat_interleave, fewer kv heads
# named: one_key_value_head
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        if d % n:
            raise ValueError
        self.n, self.hd = n, d // n
        self.kv = 1
        self.wqkv = nn.Linear(d, (n + 2 * self.kv) * self.hd, bias=False)
        self.wo = nn.Linear(d, d, bias=False)

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = self.wqkv(hidden_state).split([self.n * self.hd, self.kv * self.hd, self.kv * self.hd], dim=-1)
        q = q.view(B, T, self.n, self.hd).transpose(1, 2)
        k = k.view(B, T, self.kv, self.hd).transpose(1, 2).repeat(1, self.n, 1, 1)
        v = v.view(B, T, self.kv, self.hd).transpose(1, 2).repeat(1, self.n, 1, 1)
        m = None if mask is None else mask.bool().unsqueeze(-3)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=m)
        return self.wo(y.transpose(1, 2).reshape(B, T, D))
