# wrong: the mask is read as lengths: padding on the left hides the wrong tokens
# named: tokens_counted_from_left
import torch
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, mask=None):
        if mask is not None:
            lengths = mask.long().sum(1, keepdim=True)
            mask = padding_mask(torch.arange(mask.shape[1]) < lengths)
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
