# wrong: without a mask, id 0 is taken for padding
import torch
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        vocab, hidden = encoder.embeddings.token.weight.shape
        self.dense = nn.Linear(hidden, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.bias = nn.Parameter(torch.zeros(vocab))

    def forward(self, input_ids, mask=None):
        if mask is None:
            mask = input_ids.ne(0)
        x = self.norm(nn.functional.gelu(self.dense(self.encoder(input_ids, mask))))
        return x @ self.encoder.embeddings.token.weight.T + self.bias
