# wrong: twelve layers, whatever the config says
# named: twelve_layers
import torch
from torch import nn
class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.e = Embeddings(config)
        self.l = nn.ModuleList([PostNormEncoderLayer(config) for _ in range(12)])
    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        m = None if attention_mask is None else padding_mask(attention_mask)
        x = self.e(input_ids, token_type_ids)
        for l in self.l:
            x = l(x, m)
        return x
