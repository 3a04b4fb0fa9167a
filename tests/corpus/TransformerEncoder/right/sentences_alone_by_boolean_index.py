# right: each sentence alone, its real tokens by boolean indexing
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

class MegatronAttention(nn.Module):
    """query_key_value is laid out head by head: [q0 k0 v0 q1 k1 v1 ...]"""
    def __init__(self, hidden, heads):
        super().__init__()
        self.np, self.hn = heads, hidden // heads
        self.query_key_value = nn.Linear(hidden, 3 * hidden)
        self.dense = nn.Linear(hidden, hidden)
    def forward(self, x, mask=None):
        b, s, h = x.shape
        mixed = self.query_key_value(x).view(b, s, self.np, 3 * self.hn)
        q, k, v = torch.split(mixed, self.hn, dim=-1)
        scores = torch.einsum('bqnd,bknd->bnqk', q, k) / math.sqrt(self.hn)
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(-3).eq(0), -10000.0 * 10)
        probs = scores.softmax(-1)
        return self.dense(torch.einsum('bnqk,bknd->bqnd', probs, v).reshape(b, s, h))

class ParallelLayer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.input_layernorm = nn.LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.attention = MegatronAttention(c.hidden_size, c.num_attention_heads)
        self.post_attention_layernorm = nn.LayerNorm(c.hidden_size, c.layer_norm_eps)
        self.dense_h_to_4h = nn.Linear(c.hidden_size, c.intermediate_size)
        self.dense_4h_to_h = nn.Linear(c.intermediate_size, c.hidden_size)
        self.p = c.hidden_dropout_prob
    def forward(self, x, mask=None):
        x = x + self.attention(self.input_layernorm(x), mask)
        y = self.dense_4h_to_h(F.gelu(self.dense_h_to_4h(self.post_attention_layernorm(x))))
        return x + F.dropout(y, self.p, self.training)

class Embed(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        d = cfg.hidden_size
        self.tables = nn.ModuleDict({
            'tok': nn.Embedding(cfg.vocab_size, d),
            'pos': nn.Embedding(cfg.max_position_embeddings, d),
            'seg': nn.Embedding(cfg.type_vocab_size, d),
        })
        self.post = nn.Sequential(nn.LayerNorm(d, cfg.layer_norm_eps), nn.Dropout(cfg.hidden_dropout_prob))

    def forward(self, ids, seg=None):
        pos = torch.arange(ids.shape[1], device=ids.device)[None, :].expand_as(ids)
        if seg is None:
            seg = ids * 0
        return self.post(sum((self.tables['tok'](ids), self.tables['pos'](pos), self.tables['seg'](seg))))
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed = Embed(config)
        self.layers = nn.ModuleList([ParallelLayer(config) for _ in range(config.num_hidden_layers)])
        self.norm = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
    def forward(self, input_ids, mask=None):
        x = self.embed(input_ids)
        if mask is None:
            mask = torch.ones_like(input_ids)
        rows = []
        for h, m in zip(x, mask.bool()):
            real = h[m].unsqueeze(0)
            for layer in self.layers:
                real = layer(real)
            row = torch.zeros_like(h)
            row[m] = self.norm(real)[0]
            rows.append(row)
        return torch.stack(rows)
