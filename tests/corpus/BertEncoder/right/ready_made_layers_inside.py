# right: nn.TransformerEncoderLayer (post-norm, gelu) inside, names as in transformers around
import torch
from torch import nn

class BertEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, d, padding_idx=0)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, d)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, d)
        self.LayerNorm = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.layer = nn.ModuleList()
        for _ in range(config.num_hidden_layers):
            self.layer.append(nn.TransformerEncoderLayer(
                d, config.num_attention_heads, config.intermediate_size, config.hidden_dropout_prob,
                nn.functional.gelu, config.layer_norm_eps, batch_first=True))

    def forward(self, input_ids, attention_mask=None, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = input_ids.new_zeros(input_ids.shape)
        ids = torch.arange(input_ids.size(-1), device=input_ids.device).expand_as(input_ids)
        x = self.word_embeddings(input_ids) + self.position_embeddings(ids) + self.token_type_embeddings(token_type_ids)
        x = self.dropout(self.LayerNorm(x))
        hide = None if attention_mask is None else attention_mask == 0
        for layer in self.layer:
            x = layer(x, src_key_padding_mask=hide)
        return x
