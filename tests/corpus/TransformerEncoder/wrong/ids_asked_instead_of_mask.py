# wrong: the mask that is given is not used: id 0 is hidden, whatever it says
# named: mask_read_off_ids
from torch import nn


class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList([TransformerEncoderLayer(config) for _ in range(config.num_hidden_layers)])

    def forward(self, input_ids, mask=None):
        visible = padding_mask(input_ids.ne(0))
        x = self.embeddings(input_ids)
        for layer in self.layers:
            x = layer(x, visible)
        return x
