# right: a Linear whose weight is the table's very Parameter
import torch
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        table = encoder.embeddings.token.weight
        self.decoder = nn.Linear(table.shape[1], table.shape[0], bias=True)
        self.decoder.weight = table          # the same Parameter, known by two names
        nn.init.zeros_(self.decoder.bias)

    def forward(self, input_ids, mask=None):
        h = self.encoder(input_ids, mask)
        return self.decoder(h)
