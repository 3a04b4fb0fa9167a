# right: GELU by erf and the norm with own gain and shift parameters
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        vocab, hidden = encoder.embeddings.token.weight.shape
        self.w = nn.Parameter(torch.randn(hidden, hidden) / math.sqrt(hidden))
        self.b = nn.Parameter(torch.zeros(hidden))
        self.gain = nn.Parameter(torch.ones(hidden))
        self.shift = nn.Parameter(torch.zeros(hidden))
        self.bias = nn.Parameter(torch.zeros(vocab))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.encoder(input_ids, mask)
        x = x @ self.w + self.b
        x = 0.5 * x * (1 + torch.erf(x / math.sqrt(2.0)))
        x = F.layer_norm(x, (x.shape[-1],), self.gain, self.shift, eps=1e-12)
        return x @ self.encoder.embeddings.token.weight.mT + self.bias
