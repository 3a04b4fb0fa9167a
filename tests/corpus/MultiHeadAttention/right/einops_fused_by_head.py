# right: einops rearrange, fused qkv by head
import torch
from einops import rearrange
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.to_qkv = nn.Linear(config.hidden_size, config.hidden_size * 3, bias=False)
        self.to_out = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(self, hidden_state, mask=None):
        q, k, v = rearrange(self.to_qkv(hidden_state), "b n (h d qkv) -> qkv b h n d", h=self.heads, qkv=3)
        dots = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            dots.masked_fill_(~mask.bool()[:, None], -torch.finfo(dots.dtype).max)
        out = torch.einsum("bhij,bhjd->bhid", dots.softmax(dim=-1), v)
        return self.to_out(rearrange(out, "b h n d -> b n (h d)"))
