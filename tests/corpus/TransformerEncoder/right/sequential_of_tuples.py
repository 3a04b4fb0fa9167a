# right: nn.Sequential whose parts pass an (x, mask) tuple on
import torch
from torch import nn
import torch.nn.functional as F

class Residual(nn.Module):
    def __init__(self, c, part):
        super().__init__()
        self.norm = nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps)
        self.part = part

    def forward(self, pair):
        x, mask = pair
        return x + self.part(self.norm(x), mask), mask

class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.h = c.num_attention_heads
        d = c.hidden_size
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(d, d, bias=False) for _ in range(4))

    def forward(self, x, mask):
        q, k, v = (w(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        a = q @ k.mT / k.shape[-1] ** 0.5
        if mask is not None:
            a = a.masked_fill(~mask[:, None, None], float("-inf"))
        return self.wo((a.softmax(-1) @ v).transpose(1, 2).flatten(2))

class Think(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(c.hidden_size, c.intermediate_size), nn.GELU(),
                                 nn.Linear(c.intermediate_size, c.hidden_size), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, x, mask):
        return self.net(x)

class Embed(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a = nn.Embedding(c.vocab_size, c.hidden_size)
        self.b = nn.Embedding(c.max_position_embeddings, c.hidden_size)
        self.register_buffer("ids", torch.arange(c.max_position_embeddings)[None], persistent=False)
        self.end = nn.Sequential(nn.LayerNorm(c.hidden_size, eps=c.layer_norm_eps), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, pair):
        ids, mask = pair
        return self.end(self.a(ids) + self.b(self.ids[:, :ids.shape[1]])), mask

class TransformerEncoder(nn.Sequential):
    def __init__(self, config):
        parts = [Embed(config)]
        for _ in range(config.num_hidden_layers):
            parts += [Residual(config, Attention(config)), Residual(config, Think(config))]
        super().__init__(*parts)

    def forward(self, input_ids, mask=None):
        x, _ = super().forward((input_ids, None if mask is None else mask.bool()))
        return x
