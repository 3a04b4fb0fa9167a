# right: layers registered backwards, by name; labels and their biases in one tensor
import math
import torch
from torch import nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d, n = c.hidden_size, c.intermediate_size
        self.h = c.num_attention_heads
        self.n1, self.n2 = nn.LayerNorm(d, c.layer_norm_eps), nn.LayerNorm(d, c.layer_norm_eps)
        self.qkv = nn.Linear(d, 3 * d)
        self.o = nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, n), nn.Linear(n, d)
        self.drop = nn.Dropout(c.hidden_dropout_prob)

    def attend(self, x, m):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, self.h, 3, -1).permute(3, 0, 2, 1, 4)
        s = q @ k.mT / q.shape[-1] ** 0.5
        if m is not None:
            s = s.masked_fill(~m, torch.finfo(s.dtype).min)
        return self.o((s.softmax(-1) @ v).transpose(1, 2).reshape(b, t, d))

    def forward(self, x, m):
        x = x + self.drop(self.attend(self.n1(x), m))
        return x + self.drop(self.down(F.gelu(self.up(self.n2(x)))))


class Tables(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.both = nn.Parameter(torch.randn(c.max_position_embeddings + c.vocab_size, d) * 0.02)
        self.kinds = nn.Parameter(torch.randn(c.type_vocab_size, d) * 0.02)
        self.first = c.max_position_embeddings
        self.norm = nn.LayerNorm(d, c.layer_norm_eps)
        self.drop = nn.Dropout(c.hidden_dropout_prob)

    def forward(self, ids, kinds=None):
        x = self.both[ids + self.first] + self.both[: ids.shape[1]]
        x = x + self.kinds[torch.zeros_like(ids) if kinds is None else kinds]
        return self.drop(self.norm(x))


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.head = nn.Parameter(torch.randn(config.num_labels, config.hidden_size + 1) * 0.1)
        self.last = nn.LayerNorm(config.hidden_size, config.layer_norm_eps)
        self.blocks = nn.ModuleDict({f"b{i}": Block(config) for i in reversed(range(config.num_hidden_layers))})
        self.tables = Tables(config)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, attention_mask=None):
        m = None if attention_mask is None else attention_mask.bool()[:, None, None]
        x = self.tables(input_ids)
        for i in range(len(self.blocks)):
            x = self.blocks[f"b{i}"](x, m)
        x = self.drop(self.last(x)[:, 0])
        return x @ self.head[:, :-1].T + self.head[:, -1]
