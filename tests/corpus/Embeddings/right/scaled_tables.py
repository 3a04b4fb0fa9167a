# right: tables drawn from N(0, 1) and scaled in every call
import math
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        v, p, t, d = config.vocab_size, config.max_position_embeddings, config.type_vocab_size, config.hidden_size
        self.norm, self.drop = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob)
        self.word, self.pos, self.typ = nn.Embedding(v, d), nn.Embedding(p, d), nn.Embedding(t, d)
        self.s = nn.Parameter(torch.full((3,), 0.02))

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        length = input_ids.shape[1]
        s = self.s
        x = s[0] * self.word(input_ids) + s[1] * self.pos(torch.arange(length, device=input_ids.device)) + s[2] * self.typ(token_type_ids)
        return self.drop(self.norm(x))
