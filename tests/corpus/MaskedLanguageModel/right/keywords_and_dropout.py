# right: keyword arguments and dropout
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        h = encoder.embeddings.token.weight.shape[-1]
        self.dense, self.norm, self.drop = nn.Linear(h, h), nn.LayerNorm(h), nn.Dropout(0.1)
        self.register_parameter('bias', nn.Parameter(torch.zeros(encoder.embeddings.token.weight.shape[0])))

    def forward(self, input_ids, mask=None):
        hidden = self.encoder(input_ids, mask=mask)
        hidden = self.drop(self.norm(F.gelu(self.dense(hidden), approximate='tanh')))
        return F.linear(hidden, self.encoder.embeddings.token.weight) + self.bias.view(1, 1, -1)
