# right: ALBERT's factorised word table
import math
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        v, p, t, d = config.vocab_size, config.max_position_embeddings, config.type_vocab_size, config.hidden_size
        self.norm, self.drop = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob)
        self.word, self.up = nn.Embedding(v, d // 2), nn.Linear(d // 2, d, bias=False)
        self.pos, self.typ = nn.Embedding(p, d), nn.Embedding(t, d)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        length = input_ids.shape[1]
        x = self.up(self.word(input_ids)) + self.pos(torch.arange(length, device=input_ids.device)) + self.typ(token_type_ids)
        return self.drop(self.norm(x))
