# right: the table found by its shape
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(self.table().shape[0]))

    def forward(self, input_ids, mask=None):
        return self.encoder(input_ids, mask) @ self.table().mT + self.bias

    def table(self):
        return max((p for p in self.encoder.parameters() if p.dim() == 2), key=len)
