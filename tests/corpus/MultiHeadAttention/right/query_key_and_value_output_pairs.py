# right: query and key fused in one raw [d, 2, heads, head_dim], value and output in another [2, d, d]
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.match = nn.Parameter(torch.randn(d, 2, h, d // h) * 0.1)
        self.carry = nn.Parameter(torch.randn(2, d, d) * 0.1)
        self.shift = nn.Parameter(torch.zeros(2, d))

    def forward(self, x, mask=None):
        q, k = torch.einsum("bsd,dthk->tbhsk", x, self.match)
        h = q.shape[1]
        v = (x @ self.carry[0] + self.shift[0]).unflatten(-1, (h, -1)).transpose(1, 2)
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return (a.softmax(-1) @ v).transpose(1, 2).flatten(2) @ self.carry[1] + self.shift[1]
