# right: nested: model.encoder.layers, head raw with its bias as an extra row
import torch
from torch import nn
import torch.nn.functional as F


def attend(q, k, v, h, mask=None):
    q, k, v = (t.unflatten(-1, (h, -1)).transpose(1, 2) for t in (q, k, v))
    a = q @ k.mT / q.shape[-1] ** 0.5
    if mask is not None:
        a = a.masked_fill(mask == 0, float("-inf"))
    return (a.softmax(-1) @ v).transpose(1, 2).flatten(2)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.h = c.num_attention_heads
        self.norm1, self.norm2 = nn.LayerNorm(d, eps=c.layer_norm_eps), nn.LayerNorm(d, eps=c.layer_norm_eps)
        self.qkv, self.proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, x, mask=None):
        x = x + self.proj(attend(*self.qkv(self.norm1(x)).chunk(3, -1), self.h, mask))
        return x + self.mlp(self.norm2(x))


class Stack(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.layers = nn.ModuleList([Block(c) for _ in range(c.num_hidden_layers)])
        self.final = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)

    def forward(self, x, mask):
        for layer in self.layers:
            x = layer(x, mask)
        return self.final(x)


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.scores = nn.Parameter(torch.randn(d + 1, config.num_labels) * 0.1)
        self.stack = Stack(config)
        self.words, self.places = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.ln = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.p = config.hidden_dropout_prob

    def forward(self, input_ids, mask=None):
        x = self.ln(self.words(input_ids) + self.places.weight[: input_ids.shape[1]])
        x = self.stack(F.dropout(x, self.p, self.training), None if mask is None else mask[:, None, None])
        return F.dropout(x[:, 0], self.p, self.training) @ self.scores[:-1] + self.scores[-1]
