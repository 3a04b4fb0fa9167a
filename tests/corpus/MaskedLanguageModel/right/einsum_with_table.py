# right: einsum
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(encoder.embeddings.token.weight.shape[0]))

    def forward(self, input_ids, mask=None):
        hidden = self.encoder(input_ids, mask)
        return torch.einsum('bsh,vh->bsv', hidden, self.encoder.embeddings.token.weight) + self.bias
