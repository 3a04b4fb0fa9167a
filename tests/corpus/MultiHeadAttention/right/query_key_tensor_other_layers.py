# right: queries and keys in one [2, in, out] tensor, values and output as linear layers
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    """Queries and keys stored together [2, in, out], the rest as linear layers."""

    def __init__(self, config):
        super().__init__()
        d, self.n = config.hidden_size, config.num_attention_heads
        self.qk = nn.Parameter(torch.randn(2, d, d) * d**-0.5)
        self.v = nn.Linear(d, d)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        q, k = (hidden_state @ w for w in self.qk.unbind())
        q, k, v = (t.unflatten(2, (self.n, -1)).permute(0, 2, 1, 3) for t in (q, k, self.v(hidden_state)))
        a = q.matmul(k.transpose(2, 3)).div(q.size(3) ** 0.5)
        if mask is not None:
            a = a + torch.zeros(mask.shape).masked_fill(mask == 0, float("-inf")).unsqueeze(1)
        return self.o(a.softmax(3).matmul(v).permute(0, 2, 1, 3).flatten(2))
