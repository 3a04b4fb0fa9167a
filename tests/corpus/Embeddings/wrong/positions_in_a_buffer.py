# wrong: the table of positions is a buffer
# named: buffered
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        h = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, h)
        self.register_buffer("places", torch.randn(config.max_position_embeddings, h))
        self.kinds = nn.Embedding(config.type_vocab_size, h)
        self.norm = nn.LayerNorm(h, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words(input_ids) + self.places[: input_ids.shape[1]] + self.kinds(token_type_ids)
        return self.dropout(self.norm(x))
