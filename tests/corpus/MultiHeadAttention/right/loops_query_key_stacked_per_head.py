# right: loops over batch, heads, queries; weights of each head in an nn.Module with two matrices: W_qk query and key stacked, W_v
import torch
from torch import nn

class OneHead(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.w_qk = nn.Linear(d, 2 * k)
        self.w_v = nn.Linear(d, k, bias=False)

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, h = config.hidden_size, config.num_attention_heads
        self.k = d // h
        self.proj = nn.Linear(d, d, bias=False)
        for i in range(h):
            self.add_module(f"head{i}", OneHead(d, d // h))
        self.n = h

    def forward(self, hidden_state, mask=None):
        b, s, _ = hidden_state.shape
        m = None if mask is None else mask.expand(b, s, s).bool()
        out = []
        for i in range(b):
            x = hidden_state[i]
            parts = []
            for j in range(self.n):
                head = getattr(self, f"head{j}")
                q, k = head.w_qk(x).split(self.k, dim=-1)
                v = head.w_v(x)
                rows = []
                for t in range(s):
                    score = (k @ q[t]) / self.k ** 0.5
                    if m is not None:
                        score = score.masked_fill(~m[i, t], float("-inf"))
                    rows.append(score.softmax(0) @ v)
                parts.append(torch.stack(rows))
            out.append(torch.cat(parts, dim=-1))
        return self.proj(torch.stack(out))
