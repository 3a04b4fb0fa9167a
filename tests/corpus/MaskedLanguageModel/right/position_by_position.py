# right: position by position
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(encoder.embeddings.token.weight.size(0)))

    def forward(self, input_ids, mask=None):
        hidden = self.encoder(input_ids, mask)
        rows = [self.encoder.embeddings.token.weight @ hidden[:, i].T for i in range(hidden.shape[1])]
        return torch.stack(rows).permute(2, 0, 1) + self.bias
