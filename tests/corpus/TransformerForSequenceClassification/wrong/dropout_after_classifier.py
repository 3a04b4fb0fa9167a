# wrong: dropout after the classifier
# named: dropout_place
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        d = c.hidden_size
        self.a = nn.MultiheadAttention(d, c.num_attention_heads, batch_first=True)
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.f = nn.Sequential(nn.Linear(d, c.intermediate_size), nn.GELU(), nn.Linear(c.intermediate_size, d), nn.Dropout(c.hidden_dropout_prob))

    def forward(self, x, pad):
        h = self.n1(x)
        x = x + self.a(h, h, h, key_padding_mask=pad, need_weights=False)[0]
        return x + self.f(self.n2(x))


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tok, self.pos = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.norm = nn.LayerNorm(d)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.num_hidden_layers))
        self.head = nn.Linear(d, config.num_labels)

    def forward(self, input_ids, mask=None):
        pad = None if mask is None else mask == 0
        x = self.tok(input_ids) + self.pos(torch.arange(input_ids.size(1), device=input_ids.device))
        x = self.drop(self.norm(x))
        for block in self.blocks:
            x = block(x, pad)
        return self.drop(self.head(x[:, 0]))
