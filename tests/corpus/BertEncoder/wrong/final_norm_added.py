# wrong: a LayerNorm more after the last layer, nn.TransformerEncoderLayer inside
# named: final_norm_added
import torch
from torch import nn
import torch.nn.functional as F

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.w = nn.Embedding(config.vocab_size, d)
        self.p = nn.Embedding(config.max_position_embeddings, d)
        self.t = nn.Embedding(config.type_vocab_size, d)
        self.n, self.last = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.layers = nn.ModuleList(nn.TransformerEncoderLayer(
            d, config.num_attention_heads, config.intermediate_size, config.hidden_dropout_prob, "gelu",
            config.layer_norm_eps, batch_first=True) for _ in range(config.num_hidden_layers))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.w(input_ids) + self.p.weight[:input_ids.shape[1]] + self.t(token_type_ids)
        x = self.drop(self.n(x))
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=None if attention_mask is None else attention_mask == 0)
        return self.last(x)
