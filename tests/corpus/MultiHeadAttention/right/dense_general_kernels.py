# right: DenseGeneral kernels [d, heads, head_dim] and [heads, head_dim, d] with biases, in small modules
import torch
from torch import nn
import torch.nn.functional as F


class DenseGeneral(nn.Module):
    def __init__(self, shape, bias_shape, equation):
        super().__init__()
        self.kernel = nn.Parameter(torch.randn(*shape) * 0.05)
        self.bias = nn.Parameter(torch.zeros(*bias_shape))
        self.equation = equation

    def forward(self, x):
        return torch.einsum(self.equation, x, self.kernel) + self.bias


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        k = d // h
        self.query = DenseGeneral((d, h, k), (h, k), "bsd,dhk->bshk")
        self.key = DenseGeneral((d, h, k), (h, k), "bsd,dhk->bshk")
        self.value = DenseGeneral((d, h, k), (h, k), "bsd,dhk->bshk")
        self.out = DenseGeneral((h, k, d), (d,), "bshk,hkd->bsd")

    def forward(self, hidden_state, mask=None):
        q, k, v = self.query(hidden_state), self.key(hidden_state), self.value(hidden_state)
        scores = torch.einsum("bqhk,bshk->bhqs", q, k) / k.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.out(torch.einsum("bhqs,bshk->bqhk", scores.softmax(-1), v))
