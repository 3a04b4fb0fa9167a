# wrong: heads split by view without transpose, Conv1D weights
# named: split_without_transpose
import torch
from torch import nn


class Conv1D(nn.Module):
    def __init__(self, nx, nf):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(nx, nf) * 0.02)
        self.bias = nn.Parameter(torch.zeros(nf))

    def forward(self, x):
        return x @ self.weight + self.bias


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.c_attn, self.c_proj = Conv1D(d, 3 * d), Conv1D(d, d)

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        q, k, v = (x.reshape(b, self.n, t, d // self.n) for x in self.c_attn(hidden_state).chunk(3, dim=-1))
        s = q @ k.transpose(2, 3) / (d // self.n) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask[:, None] == 0, -1e9)
        return self.c_proj((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))
