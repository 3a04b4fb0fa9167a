# right: tables stored [d, rows], in Linear layers, position table [1, max, d]
import torch
from torch import nn
import torch.nn.functional as F


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        d = config.hidden_size
        self.word = nn.Parameter(torch.randn(d, config.vocab_size))
        self.pos_embed = nn.Parameter(torch.zeros(1, config.max_position_embeddings, d))
        self.kind = nn.Linear(config.type_vocab_size, d, bias=False)
        self.types = config.type_vocab_size
        self.post = nn.Sequential(nn.LayerNorm(d, eps=config.layer_norm_eps), nn.Dropout(config.hidden_dropout_prob))

    def forward(self, input_ids, token_type_ids=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.word.T[input_ids] + self.pos_embed[:, : input_ids.shape[1]]
        return self.post(x + self.kind(F.one_hot(token_type_ids, self.types).to(x.dtype)))
