# right: raw tables, positions and types stacked into one
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d, p = config.hidden_size, config.max_position_embeddings
        self.words = nn.Parameter(torch.randn(config.vocab_size, d) * 0.02)
        self.rest = nn.Parameter(torch.randn(p + config.type_vocab_size, d) * 0.02)
        self.p = p
        self.norm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words[input_ids] + self.rest[: input_ids.shape[1]] + self.rest[self.p + token_type_ids]
        return self.drop(self.norm(x))
