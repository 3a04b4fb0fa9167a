# right: frequent and rare words in two tables, joined
import math
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        v, p, t, d = config.vocab_size, config.max_position_embeddings, config.type_vocab_size, config.hidden_size
        self.norm, self.drop = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob)
        self.common, self.rare = nn.Embedding(v // 2, d), nn.Embedding(v - v // 2, d)
        self.pos, self.typ = nn.Embedding(p, d), nn.Embedding(t, d)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        length = input_ids.shape[1]
        table = torch.cat([self.common.weight, self.rare.weight])
        x = table[input_ids] + self.pos.weight[:length] + self.typ(token_type_ids)
        return self.drop(self.norm(x))
