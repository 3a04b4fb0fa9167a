# right: all raw, biases everywhere, names tell nothing
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class TransformerEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h, self.eps, self.p = config.num_attention_heads, config.layer_norm_eps, config.hidden_dropout_prob
        shapes = [(d, d), (d,), (d, d), (d,), (d, d), (d,), (d, d), (d,), (d, f), (f,), (f, d), (d,)]
        for i, s in enumerate(shapes):
            setattr(self, f"t{i}", nn.Parameter(torch.randn(*s) * 0.1 if len(s) > 1 else torch.zeros(*s)))
        for i in (12, 13):
            setattr(self, f"t{i}", nn.Parameter(torch.ones(d)))
        for i in (14, 15):
            setattr(self, f"t{i}", nn.Parameter(torch.zeros(d)))

    def forward(self, x, mask=None):
        t = lambda i: getattr(self, f"t{i}")
        y = F.layer_norm(x, x.shape[-1:], t(12), t(14), self.eps)
        q, k, v = (y @ t(2 * i) + t(2 * i + 1) for i in range(3))
        x = x + attend(q, k, v, self.h, None if mask is None else mask[:, None]) @ t(6) + t(7)
        y = F.layer_norm(x, x.shape[-1:], t(13), t(15), self.eps)
        return x + F.dropout(F.gelu(y @ t(8) + t(9)) @ t(10) + t(11), self.p, self.training)
