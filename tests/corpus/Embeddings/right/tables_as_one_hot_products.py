# right: tables as one hot products
import math
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        sizes = config.vocab_size, config.max_position_embeddings, config.type_vocab_size
        self.tables = nn.ParameterList(nn.Parameter(torch.randn(d, n) * 0.02) for n in sizes)
        self.norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = torch.arange(input_ids.shape[1], device=input_ids.device).expand_as(input_ids)
        x = sum(F.one_hot(ids, t.shape[1]).to(t.dtype) @ t.mT for ids, t in zip((input_ids, places, kinds), self.tables))
        return self.drop(self.norm(x))
