# right: sublayers with a ModuleDict of parts
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class PostNormEncoderLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.h = config.num_attention_heads
        self.parts = nn.ModuleDict({
            "norm_b": nn.LayerNorm(d, eps=config.layer_norm_eps),
            "norm_a": nn.LayerNorm(d, eps=config.layer_norm_eps),
            "lin2": nn.Linear(f, d), "lin1": nn.Linear(d, f),
            "o": nn.Linear(d, d), "v": nn.Linear(d, d), "k": nn.Linear(d, d), "q": nn.Linear(d, d),
        })
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, x, mask=None):
        p = self.parts
        y = p["o"](attend(p["q"](x), p["k"](x), p["v"](x), self.h, None if mask is None else mask[:, None]))
        x = p["norm_a"](x + self.drop(y))
        return p["norm_b"](x + self.drop(p["lin2"](F.gelu(p["lin1"](x)))))
