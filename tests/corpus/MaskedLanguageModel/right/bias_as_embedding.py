# right: bias as an embedding of width 1
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.prior = nn.Embedding(len(encoder.embeddings.token.weight), 1)

    def forward(self, input_ids, mask=None):
        return self.encoder(input_ids, mask) @ self.encoder.embeddings.token.weight.T + self.prior.weight[:, 0]
