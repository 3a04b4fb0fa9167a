# wrong: every token gets the row of the first segment
# named: token_types_ignored
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        size = config.hidden_size
        self.words = nn.Embedding(config.vocab_size, size)
        self.places = nn.Embedding(config.max_position_embeddings, size)
        self.kinds = nn.Embedding(config.type_vocab_size, size)
        self.norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        here = torch.arange(input_ids.shape[1], device=input_ids.device)
        total = self.words(input_ids) + self.places(here) + self.kinds.weight[0]
        return self.drop(self.norm(total))
