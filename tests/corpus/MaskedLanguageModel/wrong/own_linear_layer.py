# wrong: a linear layer of its own
# named: own_table
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        v, h = encoder.embeddings.token.weight.shape
        self.out = nn.Linear(h, v)

    def forward(self, input_ids, mask=None):
        return self.out(self.encoder(input_ids, mask))
