# wrong: one bias
# named: one_bias
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, input_ids, mask=None):
        hidden = self.encoder(input_ids, mask)
        return hidden @ self.encoder.embeddings.token.weight.T + self.bias
