# right: Italian names; the bias is a column [vocab, 1] and the product is turned round
import torch
from torch import Tensor, nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.lettore = encoder
        tavola = self.lettore.embeddings.token.weight
        self.frequenza = nn.Parameter(tavola.new_zeros(tavola.size(0), 1))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        vettori = self.lettore(input_ids, mask)                    # [batch, seq, hidden]
        tavola = self.lettore.embeddings.token.weight              # [vocab, hidden]
        punteggi = tavola @ vettori.transpose(1, 2)                # [batch, vocab, seq]
        return (punteggi + self.frequenza).transpose(1, 2)
