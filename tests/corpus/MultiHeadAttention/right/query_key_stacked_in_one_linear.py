# right: per-head modules with query and key stacked in one bias-free Linear, value in another
import torch
from torch import nn

class OneHead(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.w_qk = nn.Linear(d, 2 * k, bias=False)
        self.w_v = nn.Linear(d, k, bias=False)

    def forward(self, x, mask):
        q, k = self.w_qk(x).chunk(2, -1)
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask == 0, float("-inf"))
        return a.softmax(-1) @ self.w_v(x)

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.proj = nn.Linear(d, d, bias=False)
        self.heads = nn.ModuleList(OneHead(d, d // h) for _ in range(h))

    def forward(self, hidden_state, mask=None):
        return self.proj(torch.cat([head(hidden_state, mask) for head in self.heads], -1))
