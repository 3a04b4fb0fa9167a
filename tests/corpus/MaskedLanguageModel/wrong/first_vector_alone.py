# wrong: [CLS] alone
# named: first_vector_alone
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(len(encoder.embeddings.token.weight)))

    def forward(self, input_ids, mask=None):
        hidden = self.encoder(input_ids, mask)[:, 0]
        return hidden @ self.encoder.embeddings.token.weight.T + self.bias
