# right: stacked parameters with a layer axis in front, fused qkv, norms [layers, 2, 2, d]
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        n, d, f = config.num_hidden_layers, config.hidden_size, config.intermediate_size
        self.h, self.n, self.eps, self.p = config.num_attention_heads, n, config.layer_norm_eps, config.hidden_dropout_prob
        g = lambda *s: nn.Parameter(torch.randn(*s) * 0.1)
        self.tok, self.pos = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.first, self.last = nn.LayerNorm(d, eps=self.eps), nn.LayerNorm(d, eps=self.eps)
        norms = torch.zeros(n, 2, 2, d)
        norms[:, :, 0] = 1
        self.norms = nn.Parameter(norms)
        self.qkv, self.out = g(n, 3, d, d), g(n, d, d)
        self.up, self.up_b, self.down, self.down_b = g(n, d, f), g(n, f), g(n, f, d), g(n, d)

    def forward(self, input_ids, mask=None):
        drop = lambda t: F.dropout(t, self.p, self.training)
        m = None if mask is None else mask[:, None, None]
        x = drop(self.first(self.tok(input_ids) + self.pos.weight[: input_ids.shape[1]]))
        for i in range(self.n):
            y = F.layer_norm(x, x.shape[-1:], *self.norms[i, 0], self.eps)
            x = x + drop(attend(*(y @ w for w in self.qkv[i]), self.h, m) @ self.out[i])
            y = F.layer_norm(x, x.shape[-1:], *self.norms[i, 1], self.eps)
            x = x + drop(F.gelu(y @ self.up[i] + self.up_b[i]) @ self.down[i] + self.down_b[i])
        return self.last(x)
