# right: F.scaled_dot_product_attention, kv fused, no biases
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        inner = config.hidden_size
        self.heads = config.num_attention_heads
        self.to_q = nn.Linear(inner, inner, bias=False)
        self.to_kv = nn.Linear(inner, 2 * inner, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner, inner), nn.Dropout(0.0))

    def forward(self, hidden_state, mask=None):
        q, (k, v) = self.to_q(hidden_state), self.to_kv(hidden_state).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (q, k, v))
        if mask is not None:
            mask = mask.bool().unsqueeze(1)
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.to_out(out.transpose(1, 2).flatten(-2))
