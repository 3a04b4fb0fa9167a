# wrong: the table is put into a new parameter
# named: table_wrapped
import torch
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        rows = encoder.embeddings.token.weight
        self.pieces = nn.Parameter(rows)
        self.chance = nn.Parameter(torch.zeros(len(rows)))

    def forward(self, input_ids, mask=None):
        vectors = self.encoder(input_ids, mask)
        return torch.einsum("bsh,vh->bsv", vectors, self.pieces) + self.chance
