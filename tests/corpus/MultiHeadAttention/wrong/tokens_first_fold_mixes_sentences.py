# wrong: seq-first inside; the heads' fold is never transposed: view from [seq, batch] to batch·heads mixes sentences
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        d = config.hidden_size
        self.qkv, self.out_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        dim = d // self.heads
        q, k, v = self.qkv(hidden_state).chunk(3, dim=-1)
        q, k, v = (a.contiguous().view(t, b * self.heads, dim).transpose(0, 1) for a in (q, k, v))
        w = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(dim)
        if mask is not None:
            w = w.masked_fill(~mask.bool().expand(b, t, t).repeat_interleave(self.heads, dim=0), -math.inf)
        o = torch.bmm(w.softmax(-1), v).transpose(0, 1).contiguous().view(b, t, d)
        return self.out_proj(o)
