# wrong: with one label, the axis of labels is gone
import torch
from torch import nn


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_labels = config.num_labels
        self.encoder = TransformerEncoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids, mask=None):
        cls = self.encoder(input_ids, mask).select(1, 0)
        logits = self.classifier(self.dropout(cls))
        # one label: binary or regression, a plain number for each sentence
        return logits.squeeze(-1)
