# wrong: token types count the zeros in the text where none are given
import torch
from torch import nn


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = (input_ids == 0).long()
        mask = None if attention_mask is None else padding_mask(attention_mask)
        x = self.embeddings(input_ids, token_type_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
