# right: weight_norm in every layer and on the head, a map for each label
import math
import torch
from torch import nn
import torch.nn.functional as F

def mix(q, k, v, mask=None):
    # each [batch, heads, seq, dim]
    s = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        s = s.masked_fill(mask.unsqueeze(-3) == 0, float("-inf"))
    return s.softmax(-1) @ v


def heads(x, n):
    return x.unflatten(-1, (n, -1)).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


wn = torch.nn.utils.parametrizations.weight_norm


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, m, self.n = config.hidden_size, config.intermediate_size, config.num_attention_heads
        self.q, self.k, self.v, self.o = (wn(nn.Linear(d, d)) for _ in range(4))
        self.up, self.down = wn(nn.Linear(d, m)), wn(nn.Linear(m, d))
        self.n1, self.n2 = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.LayerNorm(d, eps=config.layer_norm_eps)

    def forward(self, x, mask):
        y = self.n1(x)
        x = x + self.o(merge(mix(*(heads(f(y), self.n) for f in (self.q, self.k, self.v)), mask)))
        return x + self.down(F.gelu(self.up(self.n2(x))))


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.word, self.pos, self.typ = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d), nn.Embedding(config.type_vocab_size, d)
        self.norm, self.drop = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.last = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.head = nn.ModuleList(wn(nn.Linear(d, 1)) for _ in range(config.num_labels))

    def forward(self, input_ids, mask=None):
        mask = None if mask is None else mask[:, None, :]
        ids = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.drop(self.norm(self.word(input_ids) + self.pos(ids) + self.typ(torch.zeros_like(input_ids))))
        for layer in self.layers:
            x = layer(x, mask)
        cls = self.drop(self.last(x)[:, 0])
        return torch.cat([h(cls) for h in self.head], -1)
