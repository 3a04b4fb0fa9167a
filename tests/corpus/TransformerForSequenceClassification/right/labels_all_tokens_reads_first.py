# right: a forward that is a composition of small functions; the linear map labels the tokens as a table, the first column is read
import torch
from torch import nn
from torch.nn import functional as F


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = TransformerEncoder(config)
        self.label_vectors = nn.Parameter(torch.randn(config.num_labels, config.hidden_size) / 50)
        self.label_bias = nn.Parameter(torch.zeros(config.num_labels))
        self.rate = config.hidden_dropout_prob

    def forward(self, input_ids, mask=None):
        state = self.encoder(input_ids, mask)
        state = F.dropout(state, p=self.rate, training=self.training)
        table = torch.einsum("bsh,lh->bls", state, self.label_vectors)
        return table[..., 0] + self.label_bias
