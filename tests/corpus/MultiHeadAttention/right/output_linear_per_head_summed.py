# right: one output Linear with bias per head, results summed
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        n, d = config.num_attention_heads, config.hidden_size
        self.q = nn.ModuleList(nn.Linear(d, d // n) for _ in range(n))
        self.k = nn.ModuleList(nn.Linear(d, d // n) for _ in range(n))
        self.v = nn.ModuleList(nn.Linear(d, d // n) for _ in range(n))
        self.o = nn.ModuleList(nn.Linear(d // n, d) for _ in range(n))

    def forward(self, hidden_state, mask=None):
        total = 0
        for fq, fk, fv, fo in zip(self.q, self.k, self.v, self.o):
            q, k, v = fq(hidden_state), fk(hidden_state), fv(hidden_state)
            s = torch.bmm(q, k.transpose(1, 2)) / q.size(2) ** 0.5
            if mask is not None:
                s = torch.where(mask.bool(), s, torch.full_like(s, float("-inf")))
            total = total + fo(torch.bmm(torch.softmax(s, dim=2), v))
        return total
