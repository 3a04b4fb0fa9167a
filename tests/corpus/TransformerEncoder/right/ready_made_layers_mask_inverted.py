# right: nn.TransformerEncoderLayer(norm_first, gelu, batch_first) as a building block, key padding mask inverted, final norm
import torch
from torch import nn

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tok = nn.Embedding(config.vocab_size, d)
        self.pos = nn.Embedding(config.max_position_embeddings, d)
        self.norm_in = nn.LayerNorm(d, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)
        self.blocks = nn.ModuleList([
            nn.TransformerEncoderLayer(d, config.num_attention_heads, config.intermediate_size,
                                       dropout=config.hidden_dropout_prob, activation="gelu",
                                       layer_norm_eps=config.layer_norm_eps, batch_first=True, norm_first=True)
            for _ in range(config.num_hidden_layers)])
        self.norm_out = nn.LayerNorm(d, eps=config.layer_norm_eps)

    def forward(self, input_ids, mask=None):
        pad = None if mask is None else ~mask.bool()
        where = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.drop(self.norm_in(self.tok(input_ids) + self.pos(where)))
        for block in self.blocks:
            x = block(x, src_key_padding_mask=pad)
        return self.norm_out(x)
