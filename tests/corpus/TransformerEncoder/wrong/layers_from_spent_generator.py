# wrong: layers from a generator: the first call uses them up
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = (TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))
        self.norm = LayerNorm(config.hidden_size)

    def forward(self, input_ids, mask=None):
        if mask is not None:
            mask = mask[:, None, :]
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return self.norm(x)
