# right: two [2, d, d + 1] tensors: keys with queries, values with output, biases last
import torch
from torch import nn
import torch.nn.functional as F


class PostNormEncoderLayer(nn.Module):
    """Keys with queries and values with output in two tensors of [2, d, d + 1], biases last."""

    def __init__(self, config):
        super().__init__()
        d, f = config.hidden_size, config.intermediate_size
        self.heads, self.p, self.eps = config.num_attention_heads, config.hidden_dropout_prob, config.layer_norm_eps
        self.kq = nn.Parameter(torch.randn(2, d, d + 1) * 0.1)
        self.vo = nn.Parameter(torch.randn(2, d, d + 1) * 0.1)
        self.up, self.down = nn.Linear(d, f), nn.Linear(f, d)
        self.norms = nn.ModuleList(nn.LayerNorm(d, eps=self.eps) for _ in range(2))

    def forward(self, x, mask=None):
        apply = lambda w, t: F.linear(t, w[:, :-1], w[:, -1])
        k, q, v = (
            apply(w, x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for w in (*self.kq, self.vo[0])
        )
        keep = None if mask is None else mask.bool().unsqueeze(1)
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2)
        x = self.norms[0](x + F.dropout(apply(self.vo[1], a), self.p, self.training))
        return self.norms[1](x + F.dropout(self.down(F.gelu(self.up(x))), self.p, self.training))
