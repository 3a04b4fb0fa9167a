# right: weights in one ParameterList, biases in another
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.h = config.num_attention_heads
        self.ws = nn.ParameterList([nn.Parameter(torch.empty(d, d).normal_(0, 0.02)) for _ in range(4)])
        self.bs = nn.ParameterList([nn.Parameter(torch.zeros(d)) for _ in range(4)])

    def lin(self, i, x):
        return x @ self.ws[i] + self.bs[i]

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q, k, v = (self.lin(i, hidden_state).view(B, T, self.h, D // self.h).transpose(1, 2) for i in range(3))
        a = q @ k.transpose(2, 3) / (D / self.h) ** 0.5
        if mask is not None:
            a = a.masked_fill(mask.logical_not().unsqueeze(1), torch.finfo(a.dtype).min)
        y = (a.softmax(3) @ v).transpose(1, 2).reshape(B, T, D)
        return self.lin(3, y)
