# right: fused projection interleaved by head: view to [heads, 3 * dim], then chunk
import math
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, mask):
    logits = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if mask is not None:
        logits = logits.masked_fill(mask == 0, -9e15)
    return torch.matmul(F.softmax(logits, dim=-1), v)


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_dim = config.hidden_size
        self.num_heads = config.num_attention_heads
        self.head_dim = self.embed_dim // self.num_heads
        self.qkv_proj = nn.Linear(self.embed_dim, 3 * self.embed_dim)
        self.o_proj = nn.Linear(self.embed_dim, self.embed_dim)
        nn.init.xavier_uniform_(self.qkv_proj.weight)
        self.qkv_proj.bias.data.fill_(0)

    def forward(self, hidden_state, mask=None):
        b, s, _ = hidden_state.size()
        if mask is not None:
            mask = mask.unsqueeze(1)
        qkv = self.qkv_proj(hidden_state).reshape(b, s, self.num_heads, 3 * self.head_dim)
        q, k, v = qkv.permute(0, 2, 1, 3).chunk(3, dim=-1)
        values = attend(q, k, v, mask).permute(0, 2, 1, 3).reshape(b, s, self.embed_dim)
        return self.o_proj(values)
