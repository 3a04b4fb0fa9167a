# right: Sequential, the table is registered a second time as an attribute (LayerNorm with torch's usual eps)
import torch
from torch import Tensor, nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.table = encoder.embeddings.token.weight
        v, h = self.table.size()
        self.head = nn.Sequential(nn.Linear(h, h), nn.GELU(), nn.LayerNorm(h))
        self.register_parameter("bias", nn.Parameter(0.01 * torch.randn(v)))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        context = self.head(self.encoder(input_ids, mask))
        return torch.add(context @ self.table.t(), self.bias)
