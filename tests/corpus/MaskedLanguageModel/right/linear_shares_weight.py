# right: a linear layer that shares its weight
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.bert = encoder
        table = encoder.embeddings.token.weight
        self.decoder = nn.Linear(table.shape[1], table.shape[0])
        self.decoder.weight = table

    def forward(self, input_ids, mask=None):
        return self.decoder(self.bert(input_ids, mask))
