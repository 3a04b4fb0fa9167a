# right: flat ModuleList of attention and feed-forward in turn, norms in a list of 2n + 1
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class Att(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.num_attention_heads
        self.w = nn.ModuleList(nn.Linear(c.hidden_size, c.hidden_size) for _ in range(4))

    def forward(self, x, mask):
        return self.w[3](attend(*(w(x) for w in self.w[:3]), self.h, mask))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, n = config.hidden_size, config.num_hidden_layers
        ff = lambda: nn.Sequential(nn.Linear(d, config.intermediate_size), nn.GELU(), nn.Linear(config.intermediate_size, d), nn.Dropout(config.hidden_dropout_prob))
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=config.layer_norm_eps) for _ in range(2 * n + 2))
        self.steps = nn.ModuleList([m for _ in range(n) for m in (Att(config), ff())])
        self.tok, self.pos = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, mask=None):
        x = self.drop(self.norms[0](self.tok(input_ids) + self.pos(torch.arange(input_ids.shape[1], device=input_ids.device))))
        m = None if mask is None else mask[:, None, None]
        for i in range(0, len(self.steps), 2):
            x = x + self.steps[i](self.norms[i + 1](x), m)
            x = x + self.steps[i + 1](self.norms[i + 2](x))
        return self.norms[-1](x)
