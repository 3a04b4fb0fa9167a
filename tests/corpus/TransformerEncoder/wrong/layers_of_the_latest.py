# wrong: the layers are reached through the class: the latest encoder's run in all
# named: shared_with_another
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))
        TransformerEncoder.stack = tuple(self.layers)

    def forward(self, input_ids, mask=None):
        mask = None if mask is None else padding_mask(mask)
        x = self.embeddings(input_ids)
        for layer in TransformerEncoder.stack:
            x = layer(x, mask)
        return x
