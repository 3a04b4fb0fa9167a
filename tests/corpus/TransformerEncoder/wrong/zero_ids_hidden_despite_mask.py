# wrong: id 0 is hidden even where the mask shows it
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, mask=None):
        if mask is not None:
            mask = padding_mask(mask.bool() & (input_ids != 0))
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
