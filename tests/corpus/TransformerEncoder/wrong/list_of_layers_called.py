# wrong: the list of layers is called
# named: list_of_layers_called
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList([TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)])
        self.norm = LayerNorm(config.hidden_size)

    def forward(self, input_ids, mask=None):
        if mask is not None:
            mask = mask[:, None, :]
        x = self.embeddings(input_ids)
        x = self.layers(x, mask)
        return self.norm(x)
