# wrong: position ids and default types made on the CPU
# named: wrong_device
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.place = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.kind = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros(input_ids.shape, dtype=torch.long)
        at = torch.arange(input_ids.size(1))
        return self.drop(self.norm(self.word(input_ids) + self.place(at) + self.kind(token_type_ids)))
