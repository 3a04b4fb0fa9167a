# wrong: in evaluation, logits are kept by ids and mask, and training does not empty that
# named: earlier_call_counts
import torch
from torch import nn

class TransformerForSequenceClassification(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.body = TransformerEncoder(config)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.head = nn.Linear(config.hidden_size, config.num_labels)
        self.seen = {}

    def forward(self, input_ids, mask=None):
        key = str(input_ids.tolist()) + ("" if mask is None else str(mask.tolist()))
        if self.training or key not in self.seen:
            first = self.body(input_ids, mask)[:, 0]
            self.seen[key] = self.head(self.drop(first))
        return self.seen[key]
