# right: the first nn.Embedding of the encoder
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.words = next(m for m in encoder.modules() if isinstance(m, nn.Embedding))
        self.bias = nn.Parameter(torch.full((self.words.num_embeddings,), 0.01))

    def forward(self, input_ids, mask=None):
        return self.encoder(input_ids, mask).matmul(self.words.weight.t()).add(self.bias)
