# wrong: RoBERTa positions: padding_idx + 1 offset, pads counted out
# named: positions_skip_zero
import torch
from torch import nn

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.tok = nn.Embedding(config.vocab_size, config.hidden_size, padding_idx=0)
        self.pos = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.typ = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.drop = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        m = input_ids.ne(0).long()
        pos = (torch.cumsum(m, 1) - 1) * m
        return self.drop(self.norm(self.tok(input_ids) + self.pos(pos) + self.typ(token_type_ids)))
