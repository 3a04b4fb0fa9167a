# wrong: embeddings take (ids, types) while this forward has the mask in second place: the mask was passed on as the token types
from torch import nn

from kit.earlier import Embeddings, PostNormEncoderLayer, padding_mask


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            [PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers)]
        )

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        mask = None
        if attention_mask is not None:
            mask = padding_mask(attention_mask)
        hidden = self.embeddings(input_ids, attention_mask)
        for layer in self.layers:
            hidden = layer(hidden, mask)
        return hidden
