# right: all raw: weights and biases of both attentions in stacks [2, 4, d, d] and [2, 4, d], norms [3, 2, d]
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
        self.w, self.b = nn.Parameter(torch.randn(2, 4, d, d) * 0.1), nn.Parameter(torch.zeros(2, 4, d))
        n = torch.zeros(3, 2, d)
        n[:, 0] = 1
        self.n = nn.Parameter(n)
        self.up, self.down = nn.Linear(d, f), nn.Linear(f, d)

    def forward(self, hidden_state, memory, memory_mask=None):
        norm = lambda t, i: F.layer_norm(t, t.shape[-1:], *self.n[i], self.eps)
        def att(i, x, y, m):
            q, k, v = (F.linear(s, self.w[i, j], self.b[i, j]) for j, s in enumerate((x, y, y)))
            return F.dropout(F.linear(attend(q, k, v, self.h, m), self.w[i, 3], self.b[i, 3]), self.p, self.training)
        x, l = hidden_state, hidden_state.shape[1]
        y = norm(x, 0)
        x = x + att(0, y, y, torch.ones(l, l, device=x.device).tril())
        x = x + att(1, norm(x, 1), memory, None if memory_mask is None else memory_mask[:, None])
        return x + F.dropout(self.down(F.gelu(self.up(norm(x, 2)))), self.p, self.training)
