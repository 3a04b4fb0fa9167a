# right: nothing in between; matrix product with the transposed table
import torch
from torch import Tensor, nn

from kit.earlier import TransformerEncoder


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder: TransformerEncoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.bias = nn.Parameter(torch.zeros(encoder.embeddings.token.weight.shape[0]))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = self.encoder(input_ids, mask)
        return hidden @ self.encoder.embeddings.token.weight.T + self.bias
