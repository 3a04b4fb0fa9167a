# wrong: no_grad around the encoder
# named: encoder_without_gradient
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(len(encoder.embeddings.token.weight)))

    def forward(self, input_ids, mask=None):
        with torch.no_grad():
            hidden = self.encoder(input_ids, mask)
        return hidden @ self.encoder.embeddings.token.weight.T + self.bias
