# right: separate lists for attentions, feed-forwards and norms, layers numbered inside
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.n = n
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x, hide):
        q, k, v = (f(x).unflatten(-1, (self.n, -1)).transpose(1, 2) for f in (self.q, self.k, self.v))
        s = q @ k.mT / q.size(-1) ** 0.5
        if hide is not None:
            s = s.masked_fill(hide, float("-inf"))
        return self.o((s.softmax(-1) @ v).transpose(1, 2).flatten(2))


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, f, n, p = config.hidden_size, config.intermediate_size, config.num_hidden_layers, config.hidden_dropout_prob
        self.tok = nn.Embedding(config.vocab_size, d)
        self.pos = nn.Embedding(config.max_position_embeddings, d)
        self.norm0 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(p)
        self.attentions = nn.ModuleList(SelfAttention(d, config.num_attention_heads) for _ in range(n))
        self.mlps = nn.ModuleList(
            nn.Sequential(nn.Linear(d, f), nn.GELU(), nn.Linear(f, d), nn.Dropout(p)) for _ in range(n)
        )
        self.norms1 = nn.ModuleList(nn.LayerNorm(d) for _ in range(n))
        self.norms2 = nn.ModuleList(nn.LayerNorm(d) for _ in range(n))

    def forward(self, input_ids, mask=None):
        hide = None if mask is None else ~mask.bool()[:, None, None, :]
        x = self.tok(input_ids) + self.pos(torch.arange(input_ids.size(1), device=input_ids.device))
        x = self.drop(self.norm0(x))
        for a, m, n1, n2 in zip(self.attentions, self.mlps, self.norms1, self.norms2):
            x = x + a(n1(x), hide)
            x = x + m(n2(x))
        return x
