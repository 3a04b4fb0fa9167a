# wrong: nn.TransformerEncoderLayer with its default ReLU
# named: relu
import torch
from torch import nn

class TransformerEncoder(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.tok, self.pos = nn.Embedding(config.vocab_size, d), nn.Embedding(config.max_position_embeddings, d)
        self.norm_in, self.drop = nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob)
        self.blocks = nn.ModuleList([
            nn.TransformerEncoderLayer(d, config.num_attention_heads, config.intermediate_size,
                                       dropout=config.hidden_dropout_prob, norm_first=True,
                                       layer_norm_eps=config.layer_norm_eps, batch_first=True)
            for _ in range(config.num_hidden_layers)])

    def forward(self, input_ids, mask=None):
        pad = None if mask is None else ~mask.bool()
        where = torch.arange(input_ids.shape[1], device=input_ids.device)
        x = self.drop(self.norm_in(self.tok(input_ids) + self.pos(where)))
        for block in self.blocks:
            x = block(x, src_key_padding_mask=pad)
        return x
