# wrong: the mask goes to the first layer alone, and a residual is laid around each layer
# named: mask_only_in_first_layer, residual_around_layers
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(
            [TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)]
        )
        self.final_norm = LayerNorm(config.hidden_size, config.layer_norm_eps)

    def forward(self, input_ids, mask=None):
        key_mask = padding_mask(mask) if mask is not None else None
        x = self.embeddings(input_ids)
        for i, layer in enumerate(self.layers):
            out = layer(x, key_mask if i == 0 else None)
            x = x + out
        return self.final_norm(x)
