# wrong: the usual initialisation reaches the encoder that was handed over
# named: encoder_made_anew
import torch
from torch import nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        pieces, width = encoder.embeddings.token.weight.shape
        self.head = nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(pieces))
        self.apply(self.begin)

    @staticmethod
    def begin(part):
        if isinstance(part, nn.Linear | nn.Embedding):
            nn.init.normal_(part.weight, 0.0, 0.02)
        for name, each in part.named_parameters(recurse=False):
            if name == "weight" and each.dim() == 2:
                nn.init.trunc_normal_(each, 0.0, 0.02)

    def forward(self, input_ids, mask=None):
        hidden = self.head(self.encoder(input_ids, mask))
        return hidden @ self.encoder.embeddings.token.weight.T + self.bias
