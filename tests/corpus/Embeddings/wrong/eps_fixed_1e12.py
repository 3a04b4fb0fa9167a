# wrong: norm with a fixed epsilon of 1e-12
# named: eps_1e12
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, d)
        self.places = nn.Embedding(config.max_position_embeddings, d)
        self.kinds = nn.Embedding(config.type_vocab_size, d)
        self.norm = nn.LayerNorm(d, eps=1e-12)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = torch.arange(input_ids.size(1), device=input_ids.device)
        total = self.words(input_ids) + self.places(places) + self.kinds(token_type_ids)
        return self.dropout(self.norm(total))
