# right: q Linear, kv fused Linear with bias, out without, kv chunked by head
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.to_q = nn.Linear(d, d, bias=False)
        self.to_kv = nn.Linear(d, d * 2)
        self.to_out = nn.Sequential(nn.Linear(d, d), nn.Dropout(0.0))

    def forward(self, x, mask=None):
        b, n, d = x.shape
        q = self.to_q(x).view(b, n, self.heads, -1).transpose(1, 2)
        kv = self.to_kv(x).view(b, n, self.heads, -1).transpose(1, 2)
        k, v = kv.chunk(2, dim=-1)
        sim = torch.einsum("bhid,bhjd->bhij", q, k) * (d // self.heads) ** -0.5
        if mask is not None:
            sim = sim.masked_fill(~mask.bool()[:, None], -torch.finfo(sim.dtype).max)
        return self.to_out(torch.einsum("bhij,bhjd->bhid", sim.softmax(-1), v).transpose(1, 2).reshape(b, n, d))
