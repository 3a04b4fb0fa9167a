# wrong: without a mask, id 0 is taken for padding
# named: zeros_hidden_without_mask
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, mask=None):
        if mask is None:
            mask = (input_ids != 0) | (input_ids == 0).all(1, keepdim=True)
        mask = padding_mask(mask)
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
