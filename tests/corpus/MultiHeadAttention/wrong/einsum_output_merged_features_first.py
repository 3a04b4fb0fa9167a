# wrong: merge permuted features first on einsum output bndq
# named: merge_features_first
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        if d % n:
            raise ValueError
        self.n = n
        self.q = nn.Linear(d, d)
        self.kv = nn.Linear(d, 2 * d)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        B, T, D = hidden_state.shape
        q = self.q(hidden_state).view(B, T, self.n, -1).transpose(1, 2)
        k, v = self.kv(hidden_state).view(B, T, self.n, 2, -1).permute(3, 0, 2, 1, 4)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
        c = torch.einsum("bnqk,bnkd->bndq", s.softmax(-1), v)
        return self.o(c.reshape(B, D, T).reshape(B, T, D))
