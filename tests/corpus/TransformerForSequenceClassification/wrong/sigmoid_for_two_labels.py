# wrong: a sigmoid over the logits where there are two labels
import torch
from torch import nn


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.num_labels = config.num_labels
        self.bert = TransformerEncoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.out = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids, mask=None):
        cls = self.bert(input_ids, mask)[:, 0]
        logits = self.out(self.dropout(cls))
        if self.num_labels == 2:
            logits = torch.sigmoid(logits)
        return logits
