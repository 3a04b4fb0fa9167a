# right: BERT's head in a Sequential
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        v, h = encoder.embeddings.token.weight.shape
        self.head = nn.Sequential(nn.Linear(h, h), nn.GELU(), nn.LayerNorm(h, eps=1e-12))
        self.bias = nn.Parameter(torch.zeros(v))

    def forward(self, input_ids, mask=None):
        return F.linear(self.head(self.encoder(input_ids, mask)), self.encoder.embeddings.token.weight, self.bias)
