# right: einsums and addcmul
import math
import torch
from torch import nn
import torch.nn.functional as F


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n, self.h = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.scale = nn.Parameter(torch.ones(2, d))
        self.shift = nn.Parameter(torch.zeros(2, d))
        self.qkv = nn.Parameter(torch.randn(d, 3, self.h, d // self.h) * 0.1)
        self.out = nn.Parameter(torch.randn(self.h, d // self.h, d) * 0.1)
        self.up = nn.Linear(d, n)
        self.down = nn.Linear(n, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def norm(self, x, i):
        x = x - x.mean(-1, keepdim=True)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-12)
        return torch.addcmul(self.shift[i], x, self.scale[i])

    def attend(self, x, mask):
        q, k, v = torch.einsum("bte,erhd->rbhtd", x, self.qkv)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return torch.einsum("bhqk,bhkd,hde->bqe", s.softmax(-1), v, self.out)

    def forward(self, hidden_state, mask=None):
        x = hidden_state + self.drop(self.attend(self.norm(hidden_state, 0), mask))
        return x + self.drop(self.down(F.gelu(self.up(self.norm(x, 1)))))
