# wrong: no 1/sqrt(d), lists by kind
# named: unscaled
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        c = config
        d, n, f = c.hidden_size, c.num_hidden_layers, c.intermediate_size
        self.h, self.n = c.num_attention_heads, n
        self.tables = nn.ModuleList([nn.Embedding(r, d) for r in (c.vocab_size, c.max_position_embeddings, c.type_vocab_size)])
        lin = lambda a, b: nn.ModuleList(nn.Linear(a, b) for _ in range(n))
        self.query, self.key, self.value, self.merge, self.up, self.down = lin(d, d), lin(d, d), lin(d, d), lin(d, d), lin(d, f), lin(f, d)
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=c.layer_norm_eps) for _ in range(2 * n + 1))
        self.drop = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        kind = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        w, p, t = self.tables
        x = self.drop(self.norms[0](w(input_ids) + p.weight[: input_ids.shape[1]] + t(kind)))
        m = None if attention_mask is None else attention_mask[:, None, None]
        for i in range(self.n):
            y = self.merge[i](attend(self.query[i](x), self.key[i](x), self.value[i](x), self.h, m))
            x = self.norms[2 * i + 1](x + self.drop(y))
            x = self.norms[2 * i + 2](x + self.drop(self.down[i](F.gelu(self.up[i](x)))))
        return x
