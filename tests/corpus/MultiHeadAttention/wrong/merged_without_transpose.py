# wrong: heads merged without transposing back, per-head list
# named: merge_without_transpose
import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_attention_heads
        self.parts = nn.ModuleList(nn.Linear(d, 3 * d // n) for _ in range(n))
        self.last = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        outs = []
        for part in self.parts:
            q, k, v = part(hidden_state).chunk(3, -1)
            s = q @ k.mT / q.size(-1) ** 0.5
            if mask is not None:
                s = s.masked_fill(mask == 0, float("-inf"))
            outs.append(s.softmax(-1) @ v)
        return self.last(torch.stack(outs, dim=1).reshape(hidden_state.shape))
