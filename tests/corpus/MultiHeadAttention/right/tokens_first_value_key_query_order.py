# right: seq-first inside, fused in order value-key-query, heads folded by contiguous view, bmm, baddbmm mask
import math
import torch
from torch import nn, Tensor
from typing import Optional

class MultiHeadAttention(nn.Module):
    def __init__(self, config) -> None:
        super().__init__()
        self.embed = config.hidden_size
        self.heads = config.num_attention_heads
        self.in_proj_weight = nn.Parameter(torch.empty(3 * self.embed, self.embed))
        self.in_proj_bias = nn.Parameter(torch.zeros(3 * self.embed))
        self.out_proj = nn.Linear(self.embed, self.embed)
        nn.init.xavier_uniform_(self.in_proj_weight)

    def forward(self, hidden_state: Tensor, mask: Optional[Tensor] = None) -> Tensor:
        x = hidden_state.transpose(0, 1)
        t, b, d = x.shape
        v, k, q = torch.nn.functional.linear(x, self.in_proj_weight, self.in_proj_bias).chunk(3, dim=-1)
        dim = d // self.heads
        q, k, v = (a.contiguous().view(t, b * self.heads, dim).transpose(0, 1) for a in (q, k, v))
        bias = x.new_zeros(b * self.heads, t, t)
        if mask is not None:
            full = mask.bool().expand(b, t, t).repeat_interleave(self.heads, dim=0)
            bias = bias.masked_fill(~full, -math.inf)
        w = torch.baddbmm(bias, q, k.transpose(1, 2), alpha=1 / math.sqrt(dim)).softmax(-1)
        o = torch.bmm(w, v).transpose(0, 1).contiguous().view(t, b, d).transpose(0, 1)
        return self.out_proj(o)
