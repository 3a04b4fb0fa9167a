# wrong: values detached
# named: gradient_stopped
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.n = config.num_attention_heads
        self.kv = nn.Linear(d, 2 * d)
        self.q = nn.Linear(d, d)
        self.o = nn.Linear(d, d)

    def forward(self, hidden_state, mask=None):
        split = lambda t: t.unflatten(-1, (self.n, -1)).transpose(1, 2)
        q = split(self.q(hidden_state))
        k, v = map(split, self.kv(hidden_state).chunk(2, -1))
        s = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            s = s.masked_fill(mask.unsqueeze(1) == 0, float("-inf"))
        return self.o((s.softmax(-1) @ v.detach()).transpose(1, 2).flatten(2))
