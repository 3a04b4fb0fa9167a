# wrong: the vector of the first id that is not 0 is classified
import torch
from torch import nn


class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.encoder = TransformerEncoder(config)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, input_ids, mask=None):
        first = input_ids.ne(0).int().argmax(1)
        x = self.encoder(input_ids, mask)[torch.arange(len(input_ids)), first]
        return self.classifier(self.dropout(x))
