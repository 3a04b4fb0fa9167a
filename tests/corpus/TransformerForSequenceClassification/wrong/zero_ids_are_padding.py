# wrong: without a mask, id 0 is taken for padding
# named: zeros_hidden_without_mask
import torch
from torch import nn


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = TransformerEncoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids, mask=None):
        if mask is None:
            mask = input_ids.ne(0)
            mask[:, 0] = True
        return self.classifier(self.dropout(self.encoder(input_ids, mask)[:, 0]))
