# wrong: counts the layers by num_attention_heads
# named: layers_by_heads
import torch
from torch import nn
class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.e = Embeddings(config)
        self.l = nn.ModuleList([TransformerEncoderLayer(config) for _ in range(config.num_attention_heads)])
    def forward(self, input_ids, mask=None):
        m = None if mask is None else padding_mask(mask)
        x = self.e(input_ids)
        for l in self.l:
            x = l(x, m)
        return x
