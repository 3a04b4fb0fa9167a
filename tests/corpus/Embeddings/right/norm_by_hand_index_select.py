# right: sum by F.embedding, LayerNorm by hand with raw gain and offset, index_select positions
import torch
from torch import nn
import torch.nn.functional as F

class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.E = nn.ParameterList([nn.Parameter(torch.randn(n, d) * 0.02) for n in
                                   (config.type_vocab_size, config.max_position_embeddings, config.vocab_size)])
        self.gain, self.offset = nn.Parameter(torch.ones(1, 1, d)), nn.Parameter(torch.zeros(1, 1, d))
        self.config = config

    def forward(self, input_ids, token_type_ids=None):
        types, positions, tokens = self.E
        where = torch.ones_like(input_ids).cumsum(1) - 1
        which = where * 0 if token_type_ids is None else token_type_ids
        x = F.embedding(input_ids, tokens) + F.embedding(where, positions) + F.embedding(which, types)
        x = x - x.mean(-1, keepdim=True)
        x = x / (x.pow(2).mean(-1, keepdim=True) + self.config.layer_norm_eps).sqrt()
        return F.dropout(self.gain * x + self.offset, self.config.hidden_dropout_prob, self.training)
