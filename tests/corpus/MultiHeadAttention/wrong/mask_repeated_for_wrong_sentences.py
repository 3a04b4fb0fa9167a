# wrong: mask repeated with repeat instead of repeat_interleave: heads see the masks of other sentences
# named: masks_of_others
import math
import torch
from torch import nn

class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.h = config.num_attention_heads
        d = config.hidden_size
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, hidden_state, mask=None):
        b, t, d = hidden_state.shape
        fold = lambda x: x.view(b, t, self.h, -1).transpose(1, 2).reshape(b * self.h, t, -1)
        q, k, v = fold(self.q(hidden_state)), fold(self.k(hidden_state)), fold(self.v(hidden_state))
        a = q @ k.transpose(1, 2) / math.sqrt(d // self.h)
        if mask is not None:
            a = a.masked_fill(~mask.bool().expand(b, t, t).repeat(self.h, 1, 1), -math.inf)
        o = (a.softmax(-1) @ v).view(b, self.h, t, -1).transpose(1, 2).reshape(b, t, d)
        return self.o(o)
