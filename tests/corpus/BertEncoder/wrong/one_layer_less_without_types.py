# wrong: one layer too few, and token types are never handed on
# named: one_layer_less, token_types_ignored
from torch import nn


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList()
        for number in range(1, config.num_hidden_layers):
            self.layers.append(PostNormEncoderLayer(config))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        hidden = self.embeddings(input_ids)
        allowed = None if attention_mask is None else padding_mask(attention_mask)
        for layer in self.layers:
            hidden = layer(hidden, allowed)
        return hidden
