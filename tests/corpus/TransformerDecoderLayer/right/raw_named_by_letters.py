# right: everything raw with names of letters, biases everywhere
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class TransformerDecoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        g = lambda *s: nn.Parameter(torch.randn(*s) * 0.1)
        for part in ("self", "cross"):
            for r in "qkvo":
                setattr(self, f"{part}_{r}", g(d, d))
                setattr(self, f"{part}_{r}_bias", nn.Parameter(torch.zeros(d)))
        self.w1, self.b1, self.w2, self.b2 = g(d, f), g(f), g(f, d), g(d)
        for i in (1, 2, 3):
            setattr(self, f"gamma{i}", nn.Parameter(torch.ones(d)))
            setattr(self, f"beta{i}", nn.Parameter(torch.zeros(d)))

    def norm(self, x, i):
        return F.layer_norm(x, x.shape[-1:], getattr(self, f"gamma{i}"), getattr(self, f"beta{i}"), self.eps)

    def att(self, part, x, y, m):
        lin = lambda r, t: t @ getattr(self, f"{part}_{r}") + getattr(self, f"{part}_{r}_bias")
        return F.dropout(lin("o", attend(lin("q", x), lin("k", y), lin("v", y), self.h, m)), self.p, self.training)

    def forward(self, hidden_state, memory, memory_mask=None):
        x, l = hidden_state, hidden_state.shape[1]
        y = self.norm(x, 1)
        x = x + self.att("self", y, y, torch.ones(l, l, device=x.device).tril())
        x = x + self.att("cross", self.norm(x, 2), memory, None if memory_mask is None else memory_mask[:, None])
        y = F.gelu(self.norm(x, 3) @ self.w1 + self.b1) @ self.w2 + self.b2
        return x + F.dropout(y, self.p, self.training)
