# wrong: encoder in a list
# named: encoder_loose
import torch
import torch.nn.functional as F
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.parts = [encoder]
        self.bias = nn.Parameter(torch.zeros(len(encoder.embeddings.token.weight)))

    def forward(self, input_ids, mask=None):
        hidden = self.parts[0](input_ids, mask)
        return hidden @ self.parts[0].embeddings.token.weight.T + self.bias
