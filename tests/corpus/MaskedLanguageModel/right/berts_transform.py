# right: linear, GELU, LayerNorm of torch, then the table
import torch
from torch import Tensor, nn


class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder) -> None:
        super().__init__()
        self.encoder = encoder
        vocab, hidden = encoder.embeddings.token.weight.shape
        self.dense = nn.Linear(hidden, hidden)
        self.act = nn.GELU()
        self.norm = nn.LayerNorm(hidden, eps=1e-12)
        self.bias = nn.Parameter(torch.zeros(vocab))

    def forward(self, input_ids: Tensor, mask: Tensor | None = None) -> Tensor:
        x = self.encoder(input_ids, mask)               # [batch, seq, hidden]
        x = self.norm(self.act(self.dense(x)))
        table = self.encoder.embeddings.token.weight    # asked for anew
        return x.matmul(table.transpose(0, 1)) + self.bias
