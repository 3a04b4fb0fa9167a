# right: one raw tensor [4, heads, d, head_dim] for everything, output used transposed, meaningless names
import torch
from torch import nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.theta = nn.Parameter(torch.randn(4, h, d, d // h) * 0.1)
        self.beta = nn.Parameter(torch.zeros(3, h, d // h))

    def forward(self, x, mask=None):
        q, k, v = torch.einsum("bsd,thdk->tbhsk", x, self.theta[:3]) + self.beta[:, None, :, None]
        a = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(mask[:, None] == 0, float("-inf"))
        return torch.einsum("bhqs,bhsk,hdk->bqd", a.softmax(-1), v, self.theta[3])
