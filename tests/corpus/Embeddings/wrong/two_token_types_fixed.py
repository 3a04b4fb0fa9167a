# wrong: number of token types hard-coded to 2
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.place = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.kind = nn.Embedding(2, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        at = torch.arange(input_ids.size(1), device=input_ids.device)
        return self.drop(self.norm(self.word(input_ids) + self.place(at) + self.kind(token_type_ids)))
