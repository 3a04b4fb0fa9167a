# right: one flat ParameterList for everything
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
        d, f, n = config.hidden_size, config.intermediate_size, config.num_hidden_layers
        self.h, self.n, self.eps, self.p = config.num_attention_heads, n, config.layer_norm_eps, config.hidden_dropout_prob
        g = lambda *s: nn.Parameter(torch.randn(*s) * 0.1)
        o, z = (lambda: nn.Parameter(torch.ones(d))), (lambda: nn.Parameter(torch.zeros(d)))
        P = [g(config.vocab_size, d), g(config.max_position_embeddings, d), o(), z()]
        for _ in range(n):
            P += [o(), z(), g(3 * d, d), g(d, d), z(), o(), z(), g(f, d), g(f), g(d, f), z()]
        self.P = nn.ParameterList([*P, o(), z()])

    def forward(self, input_ids, mask=None):
        P = self.P
        norm = lambda t, i: F.layer_norm(t, t.shape[-1:], P[i], P[i + 1], self.eps)
        drop = lambda t: F.dropout(t, self.p, self.training)
        m = None if mask is None else mask[:, None, None]
        x = drop(norm(P[0][input_ids] + P[1][: input_ids.shape[1]], 2))
        for j in range(self.n):
            b = 4 + 11 * j
            x = x + drop(F.linear(attend(*F.linear(norm(x, b), P[b + 2]).chunk(3, -1), self.h, m), P[b + 3], P[b + 4]))
            x = x + drop(F.linear(F.gelu(F.linear(norm(x, b + 5), P[b + 7], P[b + 8])), P[b + 9], P[b + 10]))
        return norm(x, len(P) - 2)
