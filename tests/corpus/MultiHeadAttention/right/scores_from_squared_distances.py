# right: scores from squared distances, columns of four matrices for each head
import math
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, self.h = config.hidden_size, config.num_attention_heads
        self.p = nn.ParameterDict({n: nn.Parameter(torch.randn(d, d) * 0.1) for n in "kovq"})

    def forward(self, x, mask=None):
        b, t, d = x.shape
        w = d // self.h
        heads = []
        for i in range(self.h):
            cut = slice(i * w, (i + 1) * w)
            q, k, v = (x @ self.p[n][:, cut] for n in "qkv")
            s = torch.cdist(q, k).pow(2)
            s = ((q * q).sum(-1, keepdim=True) + (k * k).sum(-1).unsqueeze(1) - s) / 2 / w**0.5
            if mask is not None:
                s = s.masked_fill(mask == 0, -1e9)
            heads.append(s.softmax(-1) @ v @ self.p["o"][cut])
        return torch.stack(heads).sum(0)
