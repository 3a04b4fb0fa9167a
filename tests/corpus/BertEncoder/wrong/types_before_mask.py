# wrong: token types come before the mask
# named: mask_for_types
import torch
from torch import nn
class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.e = Embeddings(config)
        self.l = nn.ModuleList([PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers)])
    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        m = None if attention_mask is None else padding_mask(attention_mask)
        x = self.e(input_ids, token_type_ids)
        for l in self.l:
            x = l(x, m)
        return x
