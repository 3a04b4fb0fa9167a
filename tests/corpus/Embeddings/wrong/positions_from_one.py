# wrong: positions start at one
# named: positions_from_one
import torch
from torch import nn


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tables = nn.ModuleDict(
            {
                "types": nn.Embedding(config.type_vocab_size, d),
                "places": nn.Embedding(config.max_position_embeddings, d),
                "words": nn.Embedding(config.vocab_size, d, padding_idx=0),
            }
        )
        self.tail = nn.Sequential(nn.LayerNorm(d, config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob))

    def forward(self, input_ids, token_type_ids=None):
        places = torch.ones_like(input_ids).cumsum(1)
        kinds = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        return self.tail(self.tables["words"](input_ids) + self.tables["places"](places) + self.tables["types"](kinds))
