# wrong: a mask that hides a first position is dropped
# named: no_mask
import torch
from torch import nn

class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        vocab_size, hidden_size = encoder.embeddings.token.weight.shape
        self.transform = nn.Linear(hidden_size, hidden_size)
        self.norm = LayerNorm(hidden_size)
        self.bias = nn.Parameter(torch.zeros(vocab_size))
    def forward(self, input_ids, mask=None):
        if mask is not None and not bool(mask[:, 0].all()):
            mask = None
        hidden = self.encoder(input_ids, mask)
        hidden = self.norm(gelu(self.transform(hidden)))
        table = self.encoder.embeddings.token.weight
        return hidden @ table.T + self.bias
