# right: grouped Conv1d for the output per head then a sum; Conv1d qkv
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.qkv = nn.Conv1d(d, 3 * d, 1)
        self.proj = nn.Conv1d(d, d, 1)

    def forward(self, x, mask=None):
        b, s, d = x.shape
        q, k, v = self.qkv(x.transpose(1, 2)).view(b, 3, self.h, d // self.h, s).unbind(1)
        a = (q.mT @ k) * (d // self.h) ** -0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        y = v @ a.softmax(-1).mT
        return self.proj(y.reshape(b, d, s)).transpose(1, 2)
