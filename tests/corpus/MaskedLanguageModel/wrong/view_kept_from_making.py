# wrong: keeps a view of the table from when it was made: once the model is moved or cast, it guesses by the old numbers
# named: table_view
import torch
from torch import nn
class MaskedLanguageModel(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        vocab_size, hidden_size = encoder.embeddings.token.weight.shape
        self.transform = nn.Linear(hidden_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size)
        self.bias = nn.Parameter(torch.zeros(vocab_size))
        self.table = encoder.embeddings.token.weight.T
    def forward(self, input_ids, mask=None):
        hidden = self.norm(nn.functional.gelu(self.transform(self.encoder(input_ids, mask))))
        return hidden @ self.table + self.bias
