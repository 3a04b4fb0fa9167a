# wrong: Falcon MQA fused Linear with bias [n*hd + 2*hd], broadcasting k and v
# named: one_key_value_head
import torch
from torch import nn
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        if d % n:
            raise ValueError(f"{n} heads, {d} features")
        self.n, self.hd = n, d // n
        self.query_key_value = nn.Linear(d, d + 2 * self.hd)
        self.dense = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = self.query_key_value(hidden_state).split((D, self.hd, self.hd), dim=-1)
        q = q.view(B, T, self.n, self.hd).transpose(1, 2)
        k, v = k.unsqueeze(1), v.unsqueeze(1)
        s = q @ k.transpose(-2, -1) / self.hd ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, -1e9)
        return self.dense((s.softmax(-1) @ v).transpose(1, 2).reshape(B, T, D))
