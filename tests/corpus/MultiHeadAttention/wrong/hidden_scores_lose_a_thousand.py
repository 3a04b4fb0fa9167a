# wrong: hidden scores lose a thousand
import torch
from torch import nn
class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n = config.num_attention_heads
        h = config.hidden_size
        self.q, self.k, self.v, self.o = (nn.Linear(h, h) for _ in range(4))
    def forward(self, hidden_state, mask=None):
        q, k, v = (split_heads(p(hidden_state), self.n) for p in (self.q, self.k, self.v))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s - 1000 * (1 - mask.unsqueeze(1).float())
        return self.o(merge_heads(s.softmax(-1) @ v))
