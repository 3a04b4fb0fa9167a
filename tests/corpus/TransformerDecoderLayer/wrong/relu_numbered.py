# wrong: ReLU, everything raw and numbered
# named: relu
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
        self.W = nn.ParameterList(nn.Parameter(torch.randn(*s) * 0.1) for s in [(d, d)] * 8 + [(d, f), (f, d)])
        self.V = nn.ParameterList(nn.Parameter(torch.zeros(*s)) for s in [(d,)] * 8 + [(f,), (d,)])
        self.G = nn.ParameterList(nn.Parameter(torch.ones(d)) for _ in range(3))
        self.B = nn.ParameterList(nn.Parameter(torch.zeros(d)) for _ in range(3))

    def forward(self, hidden_state, memory, memory_mask=None):
        norm = lambda t, i: F.layer_norm(t, t.shape[-1:], self.G[i], self.B[i], self.eps)
        drop = lambda t: F.dropout(t, self.p, self.training)
        lin = lambda t, i: t @ self.W[i] + self.V[i]
        x, l = hidden_state, hidden_state.shape[1]
        y = norm(x, 0)
        x = x + drop(lin(attend(lin(y, 0), lin(y, 1), lin(y, 2), self.h, torch.ones(l, l, device=x.device).tril()), 3))
        y = norm(x, 1)
        m = None if memory_mask is None else memory_mask[:, None]
        x = x + drop(lin(attend(lin(y, 4), lin(memory, 5), lin(memory, 6), self.h, m), 7))
        return x + drop(lin(F.relu(lin(norm(x, 2), 8)), 9))
