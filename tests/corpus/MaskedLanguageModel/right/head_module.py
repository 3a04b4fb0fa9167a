# right: a module for the head
import torch
import torch.nn.functional as F
from torch import nn


class Head(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table
        self.map = nn.Linear(table.shape[1], table.shape[1])
        self.norm = nn.LayerNorm(table.shape[1])
        self.bias = nn.Parameter(torch.zeros(table.shape[0]))

    def forward(self, x):
        return self.norm(F.gelu(self.map(x))) @ self.table.T + self.bias


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.head = Head(encoder.embeddings.token.weight)

    def forward(self, input_ids, mask=None):
        return self.head(self.encoder(input_ids, mask))
