# right: d2l-like: lazy linear layers, heads folded into the batch
import math
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_heads = config.num_attention_heads
        self.W_q = nn.LazyLinear(config.hidden_size, bias=False)
        self.W_k = nn.LazyLinear(config.hidden_size, bias=False)
        self.W_v = nn.LazyLinear(config.hidden_size, bias=False)
        self.W_o = nn.LazyLinear(config.hidden_size, bias=False)

    def transpose_qkv(self, X):
        X = X.reshape(X.shape[0], X.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return X.reshape(-1, X.shape[2], X.shape[3])

    def transpose_output(self, X):
        X = X.reshape(-1, self.num_heads, X.shape[1], X.shape[2]).permute(0, 2, 1, 3)
        return X.reshape(X.shape[0], X.shape[1], -1)

    def forward(self, hidden_state, mask=None):
        q = self.transpose_qkv(self.W_q(hidden_state))
        k = self.transpose_qkv(self.W_k(hidden_state))
        v = self.transpose_qkv(self.W_v(hidden_state))
        scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
        if mask is not None:
            mask = torch.repeat_interleave(mask, self.num_heads, dim=0)
            scores = scores.masked_fill(mask == 0, -1e6)
        return self.W_o(self.transpose_output(torch.bmm(scores.softmax(-1), v)))
