# wrong: masks kept by their shape: the first of a shape is used ever after
# named: earlier_call_counts
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.heads = config.num_attention_heads
        self.q = nn.Linear(config.hidden_size, config.hidden_size)
        self.kv = nn.Linear(config.hidden_size, 2 * config.hidden_size)
        self.o = nn.Linear(config.hidden_size, config.hidden_size)
        self.keep = {}

    def attend(self, q, k, v, mask):
        scores = q @ k.mT * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return scores.softmax(-1) @ v

    def forward(self, hidden_state, memory, mask=None):
        if mask is not None:
            mask = self.keep.setdefault(mask.shape, mask[:, None].bool())
        q, k, v = (
            t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for t in (self.q(hidden_state), *self.kv(memory).chunk(2, -1))
        )
        out = self.attend(q, k, v, mask)
        return self.o(out.transpose(1, 2).flatten(2))
