# right: head as a Sequential at the front, positions as [1, max, d], fused qkv
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


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.head = nn.Sequential(nn.Dropout(config.hidden_dropout_prob), nn.Linear(d, config.num_labels))
        self.patch_embed, self.pos_embed = nn.Embedding(config.vocab_size, d), nn.Parameter(torch.randn(1, config.max_position_embeddings, d))
        self.kinds = nn.Parameter(torch.randn(config.type_vocab_size, d))
        self.pre, self.norm = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.num_hidden_layers))
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, mask=None):
        x = self.drop(self.pre(self.patch_embed(input_ids) + self.pos_embed[:, : input_ids.shape[1]] + self.kinds[0]))
        for block in self.blocks:
            x = block(x, None if mask is None else mask[:, None, None])
        return self.head(self.norm(x)[:, 0])
