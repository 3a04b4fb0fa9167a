# wrong: the mask is read as lengths: what is hidden in between is shown
# named: up_to_the_last
import torch
from torch import nn


class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(PostNormEncoderLayer(config) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        mask = None
        if attention_mask is not None:
            places = torch.arange(input_ids.shape[1])
            last = (attention_mask.long() * places).amax(1, keepdim=True)
            mask = (places <= last).unsqueeze(1)
        x = self.embeddings(input_ids, token_type_ids)
        for layer in self.layers:
            x = layer(x, mask)
        return x
