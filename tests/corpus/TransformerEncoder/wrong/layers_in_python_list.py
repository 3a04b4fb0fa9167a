# wrong: python list of layers
# named: not_registered
import torch
import torch.nn as nn
import math

class OneLayer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.heads = config.num_attention_heads
        self.norm_1 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.norm_2 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.wq = nn.Linear(d, d)
        self.wk = nn.Linear(d, d)
        self.wv = nn.Linear(d, d)
        self.wo = nn.Linear(d, d)
        self.f1 = nn.Linear(d, config.intermediate_size)
        self.f2 = nn.Linear(config.intermediate_size, d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
    def attend(self, x, keep):
        rows = []
        for b in range(x.size(0)):
            src = x[b] if keep is None else x[b][keep[b]]
            q = self.wq(x[b]).chunk(self.heads, -1)
            k = self.wk(src).chunk(self.heads, -1)
            v = self.wv(src).chunk(self.heads, -1)
            rows.append(torch.cat([torch.softmax(qi @ ki.T / math.sqrt(qi.size(-1)), -1) @ vi for qi, ki, vi in zip(q, k, v)], -1))
        return self.wo(torch.stack(rows))
    def forward(self, x, keep):
        x = x + self.attend(self.norm_1(x), keep)
        return x + self.drop(self.f2(nn.functional.gelu(self.f1(self.norm_2(x)))))

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tables = nn.ModuleList([nn.Embedding(n, d) for n in (config.vocab_size, config.max_position_embeddings, config.type_vocab_size)])
        self.norm_0 = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.stack = [OneLayer(config) for _ in range(config.num_hidden_layers)]
        self.norm_f = nn.LayerNorm(d, eps=config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        ids = [input_ids, torch.arange(input_ids.size(1), device=input_ids.device)[None], torch.zeros_like(input_ids)]
        x = sum(t(i) for t, i in zip(self.tables, ids))
        x = self.drop(self.norm_0(x))
        keep = None if mask is None else mask > 0
        for layer in self.stack:
            x = layer(x, keep)
        return self.norm_f(x)
