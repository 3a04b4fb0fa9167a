# wrong: a copy as a parameter
# named: own_table
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(len(encoder.embeddings.token.weight)))
        self.table = nn.Parameter(encoder.embeddings.token.weight.detach().clone())

    def forward(self, input_ids, mask=None):
        return self.encoder(input_ids, mask) @ self.table.T + self.bias
