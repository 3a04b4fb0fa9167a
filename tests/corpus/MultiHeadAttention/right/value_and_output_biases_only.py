# right: value bias and output bias only, raw, in a ParameterDict with odd keys; weights Linear without bias
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.extra = nn.ParameterDict({"one": nn.Parameter(torch.zeros(d)), "two": nn.Parameter(torch.zeros(d))})
        self.f = nn.ModuleList(nn.Linear(d, d, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        cut = lambda t: t.unflatten(-1, (self.h, -1)).transpose(1, 2)
        q, k, v = cut(self.f[0](x)), cut(self.f[1](x)), cut(self.f[2](x) + self.extra["two"])
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return self.f[3]((a.softmax(-1) @ v).transpose(1, 2).flatten(2)) + self.extra["one"]
