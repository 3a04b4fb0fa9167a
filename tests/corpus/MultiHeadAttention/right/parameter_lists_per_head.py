# right: per-head ParameterLists with biases in lists of their own
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        n, d = config.num_attention_heads, config.hidden_size
        make = lambda *s: nn.Parameter(torch.empty(*s).uniform_(-0.2, 0.2))
        self.Wq = nn.ParameterList(make(d, d // n) for _ in range(n))
        self.Wk = nn.ParameterList(make(d, d // n) for _ in range(n))
        self.Wv = nn.ParameterList(make(d, d // n) for _ in range(n))
        self.bq = nn.ParameterList(make(d // n) for _ in range(n))
        self.bk = nn.ParameterList(make(d // n) for _ in range(n))
        self.bv = nn.ParameterList(make(d // n) for _ in range(n))
        self.Wo = make(d, d)

    def forward(self, hidden_state, mask=None):
        outs = []
        for i in range(len(self.Wq)):
            q = hidden_state @ self.Wq[i] + self.bq[i]
            k = hidden_state @ self.Wk[i] + self.bk[i]
            v = hidden_state @ self.Wv[i] + self.bv[i]
            s = (q @ k.transpose(1, 2)).div(k.size(-1) ** 0.5)
            if mask is not None:
                s = s.masked_fill(mask.eq(0), float("-inf"))
            outs.append(s.softmax(dim=-1).matmul(v))
        return torch.cat(outs, -1) @ self.Wo
